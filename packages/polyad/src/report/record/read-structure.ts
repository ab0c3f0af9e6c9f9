import type { Model, StandardErrors } from '@polyad/core'
import { isNumber } from '@polyad/core/model'
import { type Read, reader, STRUCTURES } from '@polyad/core/options'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import type { WithNulls } from '../with-nulls.ts'
import type { Omission, RecordedDesign, RecordedEffect, RecordedGroups, RecordedKnown } from './record-types.ts'
import type { ComparisonFacts } from './report.ts'

/** What a record says of a model besides its classes: what was left out, groups, covariates, joined variables, the sample. */

const { fields, fieldsAmong, fieldsOf, finite, label, list, optional, orNull, tried, vector } = reader
const text = reader.text()

/** The parts of a value that are as they should be; null if not all of them are. */
export const readRecord = <T extends object>(
  value: unknown,
  reads: { readonly [K in keyof T]: Read<unknown> },
): T | null => tried(fields<object>(reads) as Read<T>, value)

export const textOf = (value: unknown): string | null => tried(text, value)

/** Standard errors as a model file keeps them: without those of a model that is too large to print. */
export type RecordedErrors = WithNulls<
  Pick<StandardErrors, 'kind' | 'confidence' | 'shares' | 'factors' | 'intervals'>
> & {
  /** Of parameters of items, by mode; null for categories. */
  readonly items?: readonly (readonly RecordedItemError[] | null)[]
}

/** The standard error of a parameter such as a mean: only what tables need. */
interface RecordedItemError {
  readonly name: string
  readonly error: number | null
}

/** Whether the group is one of the covariates of the logit, alone or beside others; before version 1.1 it was often a mode of the model. */
const groupIn = ({ groups, covariates }: Record<string, unknown>): 'alone' | 'beside' | undefined => {
  const { names } = fieldsOf(covariates)
  if (!Array.isArray(names) || !names.includes(fieldsOf(groups).mode)) return undefined
  return names.length === 1 ? 'alone' : 'beside'
}

export const omissionsOf = ({ left, groups, covariates, unlinked }: Record<string, unknown>): Omission[] => {
  const of = (value: unknown, why: string) => {
    const total = tried(finite, value) ?? 0
    return total > 0 ? [{ total, why }] : []
  }
  const group = groupIn({ groups, covariates })
  return [
    ...of(left, 'because a value was missing'),
    ...of(unlinked, 'because the person, the wave, the group, or every answer, was missing'),
    // Rows without a group are left out with those without a covariate.
    ...(group === 'beside'
      ? of(fieldsOf(groups).dropped, 'because a covariate, the group, or every answer, was missing')
      : [
          ...of(
            group === 'alone' ? 0 : fieldsOf(covariates).dropped,
            'because a covariate, or every answer, was missing',
          ),
          ...of(fieldsOf(groups).dropped, 'because the group, or every answer, was missing'),
        ]),
  ]
}

export const errorsOf = (value: unknown, rank: number): RecordedErrors | null => {
  const errors = vector(rank, orNull(finite))
  const interval = orNull(vector(2, finite))
  return readRecord<RecordedErrors>(value, {
    kind: reader.oneOf(['sandwich', 'empirical', 'observed']),
    confidence: finite,
    shares: orNull(errors),
    factors: orNull(list(vector(rank, list(orNull(finite))))),
    intervals: orNull(fieldsAmong({ shares: vector(rank, interval), factors: list(vector(rank, list(interval))) })),
    items: optional(list(orNull(list(fieldsAmong<RecordedItemError>({ name: text, error: orNull(finite) }))))),
  })
}

export const designOf = ({ cluster, stratum }: Record<string, unknown>): RecordedDesign | null => {
  const own = textOf(cluster)
  return own === null ? null : { cluster: own, stratum: textOf(stratum) }
}

export const groupsOf = (value: unknown, rank: number): RecordedGroups | null =>
  tried(
    fields<RecordedGroups>({
      mode: text,
      shares: list(
        fieldsAmong<RecordedGroups['shares'][number]>({ group: label, total: finite, shares: vector(rank, finite) }),
      ),
    }),
    value,
  )

export const structureOf = (run: Readonly<Record<string, unknown>>): string[] => {
  const [options, result, source] = [run.options, run.result, run.source].map(fieldsOf)
  const used = (key: string) => [options[key], result[key]].some(value => value !== undefined && value !== false)
  const nameOf = (key: string, name: string) =>
    key === 'groups' && groupIn(result) === 'beside' ? 'known groups in the logit of membership' : name
  const names = Object.entries(STRUCTURES).flatMap(([key, { name }]) =>
    used(key) || (key === 'weights' && textOf(source.weights) !== null) ? [nameOf(key, name)] : [],
  )
  return [...new Set(names)]
}

/** The variables that were joined. */
export const joinedOf = (join: unknown): readonly (readonly string[])[] =>
  tried(list(list(text)), fieldsOf(join).joined) ?? []

/** The column of known classes, and for how many observations it has one. */
export const knownOf = (value: unknown): RecordedKnown | null => {
  const found = tried(fields({ name: text, totals: list(finite) }), value)
  return found && { name: found.name, total: found.totals.reduce((sum, each) => sum + each, 0) }
}

/** The variables that are in parts, with the columns that they depend on. */
export const effectsOf = (parts: unknown): readonly RecordedEffect[] => {
  const columns = new Map<string, Set<string>>()
  for (const { mode, where } of tried(list(fields({ mode: text, where: list(fields({ column: text })) })), parts) ?? [])
    for (const { column } of where) columns.set(mode, (columns.get(mode) ?? new Set()).add(column))
  return [...columns].map(([mode, on]) => ({ mode, columns: [...on] }))
}

/** A mode of groups is no variable, a mode of joined variables is several, and parts of a variable are one. */
export const moreModes = ({ groups, join, parts, covariates }: Record<string, unknown>): number => {
  const lists = joinedOf(join)
  const split = tried(list(fields({ mode: text })), parts) ?? []
  const isMode = textOf(fieldsOf(groups).mode) !== null && groupIn({ groups, covariates }) === undefined
  return (
    (isMode ? 1 : 0) +
    split.length -
    new Set(split.map(({ mode }) => mode)).size -
    lists.reduce((sum, names) => sum + names.length - 1, 0)
  )
}

export const comparisonOf = ({ groups, join }: Record<string, unknown>): ComparisonFacts | null => {
  const [compared, joined] = [fieldsOf(groups), fieldsOf(join)]
  const models = tried(list(comparedModel), compared.models ?? joined.models)
  const tests = tried(list(nestedTest), compared.tests ?? [joined.test])
  if (models === null || tests === null) return null
  const mode = textOf(compared.mode)
  return {
    title: mode === null ? 'Joined and separate variables' : `Models of the groups of ${mode}, given the group`,
    approximate: compared.identified === false,
    models,
    tests,
  }
}

const comparedModel = fieldsAmong<ComparisonFacts['models'][number]>({
  name: text,
  logLikelihood: finite,
  parameters: finite,
  aic: finite,
  bic: finite,
})
const nestedTest = fieldsAmong<ComparisonFacts['tests'][number]>({
  model: text,
  within: text,
  statistic: finite,
  degreesOfFreedom: finite,
  pValue: orNull(finite),
  scaling: optional(finite),
  scaled: optional(finite),
  reason: optional(text),
})

/** A test that coefficients are zero, as records have it. */
export const waldTest = orNull(fields({ statistic: finite, degreesOfFreedom: finite, pValue: finite }))

export const covariatesOf = (value: unknown, rank: number): CovariateFigures | null => {
  const interval = orNull(vector(2, orNull(finite)))
  const shown = { estimate: finite, standardError: orNull(finite), oddsRatio: orNull(finite), interval }
  const read = fieldsAmong<CovariateFigures>({
    reference: finite,
    dropped: finite,
    curves: list(
      fieldsAmong<CovariateFigures['curves'][number]>({
        covariate: text,
        numeric: optional(reader.flag),
        points: list(fields({ value: label, probabilities: vector(rank, finite) })),
      }),
    ),
    coefficients: list(
      fieldsAmong<CovariateFigures['coefficients'][number]>({
        class: finite,
        term: text,
        ...shown,
        limit: optional(orNull(text)),
        pValue: orNull(finite),
        shown: optional(fields({ unit: finite, ...shown })),
      }),
    ),
    referenceCategories: optional(reader.record(label)),
    units: optional(list(fields({ covariate: text, unit: finite, by: text, deviation: finite }))),
    terms: optional(list(fields({ name: text, factors: list(fields({ covariate: text })) }))),
    tests: optional(list(fields({ covariate: text, test: waldTest, untested: optional(finite) }))),
  })
  return tried(read, value)
}

/** The standard errors of a record, if they are of this model. Numbers have no probabilities of categories. */
export const errorsFor = ({ modes, items }: Model, errors: RecordedErrors | null): RecordedErrors | null =>
  errors?.factors?.length === modes.length &&
  errors.factors.every((factor, n) => {
    const size = isNumber(items[n]?.spec ?? { kind: 'categorical' }) ? 0 : modes[n].size
    return factor.every(row => row.length === size)
  })
    ? errors
    : null

/** The intervals of a record as charts take them. */
export const intervalsFor = (model: Model, errors: RecordedErrors | null): StandardErrors['intervals'] => {
  const intervals = errorsFor(model, errors)?.intervals
  if (intervals === null || intervals === undefined) return undefined
  return {
    shares: intervals.shares.map(each => each ?? undefined),
    factors: intervals.factors.map(factor => factor.map(row => row.map(each => each ?? undefined))),
  }
}
