import type { Model, StandardErrors } from '@polyad/core'
import type { CovariateFigures } from './covariates-text.ts'
import { fields, isFlag, isNumber, isText, known, listOf, objectOf, orAbsent, orNull, textOf } from './record-checks.ts'
import type { Omission, RecordedDesign, RecordedEffect, RecordedGroups, RecordedKnown } from './recorded-facts.ts'
import type { ComparisonFacts } from './report.ts'
import type { WithNulls } from './with-nulls.ts'

/** What a record says of a model besides its classes: what was left out, groups, covariates, joined variables, the sample. */

/** Standard errors as a model file keeps them: without those of a model that is too large to print. */
export type RecordedErrors = WithNulls<Pick<StandardErrors, 'kind' | 'confidence' | 'shares' | 'factors' | 'intervals'>>

/** Whether the group is one of the covariates of the logit, and no mode of the model. */
const explainsGroups = ({ groups, covariates }: Record<string, unknown>): boolean => {
  const { names } = fields(covariates)
  return Array.isArray(names) && names.includes(fields(groups).mode)
}

export const omissionsOf = ({ left, groups, covariates }: Record<string, unknown>): Omission[] => {
  const of = (value: unknown, why: string) =>
    isNumber(value) && (value as number) > 0 ? [{ total: value as number, why }] : []
  return [
    ...of(left, 'because a value was missing'),
    // Groups that are a part of the logit are left out with its covariates.
    ...(explainsGroups({ groups, covariates })
      ? of(fields(groups).dropped, 'because a covariate, the group, or every answer, was missing')
      : [
          ...of(fields(covariates).dropped, 'because a covariate, or every answer, was missing'),
          ...of(fields(groups).dropped, 'because the group, or every answer, was missing'),
        ]),
  ]
}

export const errorsOf = (value: unknown, rank: number): RecordedErrors | null => {
  const errors = listOf(orNull(isNumber), rank)
  const interval = orNull(listOf(isNumber, 2))
  return known<RecordedErrors>(value, {
    kind: each => ['sandwich', 'empirical', 'observed'].includes(each as string),
    confidence: isNumber,
    shares: orNull(errors),
    factors: orNull(listOf(listOf(listOf(orNull(isNumber)), rank))),
    intervals: orNull(objectOf({ shares: listOf(interval, rank), factors: listOf(listOf(listOf(interval), rank)) })),
  })
}

export const designOf = ({ cluster, stratum }: Record<string, unknown>): RecordedDesign | null =>
  isText(cluster) ? { cluster: cluster as string, stratum: textOf(stratum) } : null

export const groupsOf = (value: unknown, rank: number): RecordedGroups | null => {
  const group = objectOf({ group: each => isText(each) || isNumber(each), total: isNumber, shares: listOf(isNumber, rank) }) // biome-ignore format: one call
  return known<RecordedGroups>(value, { mode: isText, shares: listOf(group) })
}

/** Options that a plain latent class model has not got, and what they are called in a text. */
const STRUCTURES = {
  covariates: 'covariates',
  groups: 'known groups',
  free: 'variables that differ between groups',
  direct: 'direct effects of covariates',
  known: 'known classes',
  constraints: 'constraints',
  join: 'joined variables',
  complete: 'the omission of incomplete rows',
  cluster: 'a survey design',
  weights: 'sampling weights',
} as const

export const structureOf = (run: Readonly<Record<string, unknown>>): string[] => {
  const [options, result, source] = [run.options, run.result, run.source].map(fields)
  const used = (key: string) => [options[key], result[key]].some(value => value !== undefined && value !== false)
  const nameOf = (key: string, name: string) =>
    key === 'groups' && explainsGroups(result) ? 'known groups in the logit of membership' : name
  return Object.entries(STRUCTURES).flatMap(([key, name]) =>
    used(key) || (key === 'weights' && isText(source.weights)) ? [nameOf(key, name)] : [],
  )
}

/** The variables that were joined. */
export const joinedOf = (join: unknown): readonly (readonly string[])[] => {
  const { joined } = fields(join)
  return listOf(listOf(isText))(joined) ? (joined as string[][]) : []
}

/** The column of known classes, and for how many observations it has one. */
export const knownOf = (value: unknown): RecordedKnown | null => {
  const { name, totals } = fields(value)
  if (!isText(name) || !listOf(isNumber)(totals)) return null
  return { name: name as string, total: (totals as number[]).reduce((sum, each) => sum + each, 0) }
}

/** The variables that are in parts, with the columns that they depend on. */
export const effectsOf = (parts: unknown): readonly RecordedEffect[] => {
  const part = objectOf({ mode: isText, where: listOf(objectOf({ column: isText })) })
  if (!listOf(part)(parts)) return []
  const columns = new Map<string, Set<string>>()
  for (const { mode, where } of parts as { mode: string; where: { column: string }[] }[])
    for (const { column } of where) columns.set(mode, (columns.get(mode) ?? new Set()).add(column))
  return [...columns].map(([mode, on]) => ({ mode, columns: [...on] }))
}

/** A mode of groups is no variable, a mode of joined variables is several, and parts of a variable are one. */
export const moreModes = ({ groups, join, parts, covariates }: Record<string, unknown>): number => {
  const lists = joinedOf(join)
  const split = listOf(objectOf({ mode: isText }))(parts) ? (parts as { readonly mode: string }[]) : []
  const isMode = isText(fields(groups).mode) && !explainsGroups({ groups, covariates })
  return (
    (isMode ? 1 : 0) +
    split.length -
    new Set(split.map(({ mode }) => mode)).size -
    lists.reduce((sum, names) => sum + names.length - 1, 0)
  )
}

export const comparisonOf = ({ groups, join }: Record<string, unknown>): ComparisonFacts | null => {
  const [known, joined] = [fields(groups), fields(join)]
  const models = known.models ?? joined.models
  const tests = known.tests ?? [joined.test]
  const model = objectOf({ name: isText, logLikelihood: isNumber, parameters: isNumber, aic: isNumber, bic: isNumber })
  const test = objectOf({ model: isText, within: isText, statistic: isNumber, degreesOfFreedom: isNumber, pValue: orNull(isNumber) }) // biome-ignore format: one call
  if (!listOf(model)(models) || !listOf(test)(tests)) return null
  return {
    title: isText(known.mode)
      ? `Models of the groups of ${known.mode}, given the group`
      : 'Joined and separate variables',
    approximate: known.identified === false,
    models: models as ComparisonFacts['models'],
    tests: tests as ComparisonFacts['tests'],
  }
}

export const covariatesOf = (value: unknown, rank: number): CovariateFigures | null => {
  const point = objectOf({ value: each => isText(each) || isNumber(each), probabilities: listOf(isNumber, rank) })
  const test = objectOf({ statistic: isNumber, degreesOfFreedom: isNumber, pValue: isNumber })
  const usable = objectOf({
    reference: isNumber,
    dropped: isNumber,
    curves: listOf(objectOf({ covariate: isText, numeric: orAbsent(isFlag), points: listOf(point) })),
    coefficients: listOf(
      objectOf({
        class: isNumber,
        term: isText,
        estimate: isNumber,
        standardError: orNull(isNumber),
        pValue: orNull(isNumber),
        oddsRatio: orNull(isNumber),
        interval: orNull(listOf(orNull(isNumber), 2)),
        shown: orAbsent(
          objectOf({
            unit: isNumber,
            estimate: isNumber,
            standardError: orNull(isNumber),
            oddsRatio: orNull(isNumber),
            interval: orNull(listOf(orNull(isNumber), 2)),
          }),
        ),
      }),
    ),
    referenceCategories: orAbsent(value => Object.values(fields(value)).every(each => isText(each) || isNumber(each))),
    units: orAbsent(listOf(objectOf({ covariate: isText, unit: isNumber, by: isText, deviation: isNumber }))),
    terms: orAbsent(listOf(objectOf({ name: isText, factors: listOf(objectOf({ covariate: isText })) }))),
    tests: orAbsent(listOf(objectOf({ covariate: isText, test: orNull(test) }))),
  })
  return usable(value) ? (value as CovariateFigures) : null
}

/** The standard errors of a record, if they are of this model. */
export const errorsFor = ({ modes }: Model, errors: RecordedErrors | null): RecordedErrors | null =>
  errors?.factors?.length === modes.length &&
  errors.factors.every((factor, n) => factor.every(row => row.length === modes[n].size))
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
