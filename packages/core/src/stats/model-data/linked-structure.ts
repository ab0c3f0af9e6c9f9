import { defined } from '../../defined.ts'
import { LinkLogitPart } from '../../fit/covariates/link-logit.ts'
import { namedCoefficients, termValues } from '../../fit/covariates/terms.ts'
import { linksOf } from '../../model/links/link-kinds.ts'
import type { Links } from '../../model/links/links.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import type { LinkLogitTerms } from '../../model/structures/link-logit.ts'
import type { LinkedStructure } from '../../model/structures/linked.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import type { Split } from '../../model/structures/structure.ts'
import { exp } from '../../numeric/exp.ts'
import { labelsOf } from '../../tensor/mode.ts'
import type { LinkEffect, LinkPart } from './link-effects.ts'
import type { LinkedData } from './linked-data.ts'

/** Distributions without covariates, as a structure has them: the initial sizes (those of stayers too), or group sizes, first. */
const meansOf = (
  structure: LinkedStructure,
): { readonly first: readonly number[]; readonly rest: readonly number[] } =>
  structure.kind === 'chain'
    ? { first: withStayers(structure), rest: structure.transitions.flat(2) }
    : { first: structure.groupSizes, rest: structure.mixes.flat() }

const withStayers = ({ initial, stayers }: ChainStructure): readonly number[] =>
  stayers === undefined
    ? initial
    : [...initial.map(size => (1 - stayers.share) * size), ...stayers.sizes.map(size => stayers.share * size)]

const effectFor = ({ effects }: Pick<LinkedData, 'effects'>, part: LinkPart): LinkEffect | undefined =>
  effects.find(each => each.part === part)

/** The tables of a structure for data, one distribution after the other: those of every combination of covariates. */
export const tablesOf = (structure: LinkedStructure, data: Pick<LinkedData, 'effects'>): Float64Array => {
  const { first, rest } = meansOf(structure)
  const [ofUnits, ofRows] =
    structure.kind === 'chain'
      ? ([
          { effect: effectFor(data, 'initial'), logit: structure.starting },
          { effect: effectFor(data, 'transitions'), logit: structure.moving },
        ] as const)
      : ([
          { effect: effectFor(data, 'groups'), logit: structure.grouping },
          { effect: effectFor(data, 'mixes'), logit: structure.mixing },
        ] as const)
  const explained = ({ effect, logit }: typeof ofUnits, means: readonly number[]) => {
    if (effect === undefined) return means
    const length = means.length / effect.intercepts
    const meanOf = (set: number) => means.slice(set * length, (set + 1) * length)
    // One class has no coefficients: every combination has the distributions of its step or group class.
    return logit === undefined ? Array.from(effect.sets, meanOf).flat() : explainedTables(effect, logit, meanOf)
  }
  return Float64Array.from([...explained(ofUnits, first), ...explained(ofRows, rest)])
}

/** The distributions of all combinations of covariates. @param meanOf those without covariates, by intercept */
const explainedTables = (
  { design, places, sets }: LinkEffect,
  { terms, intercepts, slopes }: LinkLogitTerms,
  meanOf: (set: number) => readonly number[],
) => {
  const covariates = design.covariates.map(each => ({ ...each, center: 0, scale: 1 }))
  const values = design.patterns === 0 ? [] : termValues(terms, covariates, design.patterns)
  const tables: number[] = []
  places.forEach((place, z) => {
    if (place === design.patterns) {
      tables.push(...meanOf(sets[z]))
      return
    }
    slopes.forEach((ofRow, row) => {
      const predictors = ofRow.map((own, k) =>
        own.reduce((sum, slope, p) => sum + slope * values[place * terms.length + p], intercepts[sets[z]][row][k]),
      )
      const most = Math.max(...predictors)
      const parts = predictors.map(each => exp(each - most))
      const sum = parts.reduce((total, each) => total + each, 0)
      tables.push(...parts.map(each => each / sum))
    })
  })
  return tables
}

/** Where the coefficients of an effect are among the logits of links: one logit for each class that is left, else one. */
export const logitsOf = (links: Links, { link }: Pick<LinkEffect, 'link'>) =>
  links.logits.filter(({ design }) => design === link || design.values === link.values)

/** What covariates explain, in the terms of the data. @param reference the entry that others are compared with, by row */
const logitTerms = (
  links: Links,
  tables: Float64Array,
  effect: LinkEffect,
  reference: (row: number) => number,
): LinkLogitTerms | undefined => {
  const { design, intercepts: sets } = effect
  const rows = logitsOf(links, effect).map((link, row) => {
    const named = namedLogit(effect, new LinkLogitPart(link).coefficients(tables), link.length)
    const base = named[reference(row)]
    return named.map(lists => lists.map((list, s) => list.map((each, p) => each - base[s][p])))
  })
  if (rows.length === 0) return undefined
  const slopes = rows.map(entries => entries.map(([list]) => list.slice(1)))
  return {
    terms: design.terms.slice(1),
    given: design.covariates.map(({ mode, numeric }) => ({ name: mode.name, labels: labelsOf(mode), numeric })),
    intercepts: Array.from({ length: sets }, (_, s) => rows.map(entries => entries.map(lists => lists[s][0]))),
    slopes,
  }
}

/** For every entry and intercept the coefficients of the terms as they are named, the intercept first; those of the first entry are zero. */
export const namedLogit = (
  { design, intercepts: sets }: LinkEffect,
  coefficients: Float64Array,
  length: number,
): number[][][] => {
  const width = sets + design.terms.length - 1
  return Array.from({ length }, (_, k) =>
    Array.from({ length: sets }, (_, s) => {
      const at = (k - 1) * width
      const own = Float64Array.from(design.terms, (_, p) =>
        k === 0 ? 0 : coefficients[at + (p === 0 ? s : sets + p - 1)],
      )
      return namedCoefficients(design.terms, design.covariates, own)[0]
    }),
  )
}

/** The structure whose tables these are; group classes in descending size. */
export const linkedStructure = (data: LinkedData, rank: number, given: Float64Array): LinkedStructure => {
  const { links: setting, units, time, wide, splits, parts } = data
  const links: Links = linksOf(setting, rank)
  const tables = links.sorted?.(given) ?? given
  const means = links.means(tables)
  const rows = (from: number, count: number, length: number) =>
    Array.from({ length: count }, (_, i) => [...means.subarray(from + i * length, from + (i + 1) * length)])
  const logit = (part: LinkPart, reference: (row: number) => number = () => 0) => {
    const effect = effectFor(data, part)
    return effect && logitTerms(links, tables, effect, reference)
  }
  if (setting.kind === 'nested') {
    const { groupClasses } = setting
    return new NestedStructure({
      within: units.name,
      groupSizes: [...means.subarray(0, groupClasses)],
      mixes: rows(groupClasses, groupClasses, rank),
      ...defined({ grouping: logit('groups'), mixing: logit('mixes') }),
    })
  }
  const states = setting.stayers === true && rank > 1 ? 2 * rank : rank
  const steps = (means.length - states) / rank / rank
  const share = means.subarray(rank, states).reduce((sum, each) => sum + each, 0)
  const within = (from: number, whole: number) =>
    Array.from({ length: rank }, (_, k) => (whole > 0 ? means[from + k] / whole : 1 / rank))
  return new ChainStructure({
    person: units.name,
    time: time!.name,
    waves: labelsOf(time!),
    wide,
    initial: states > rank ? within(0, 1 - share) : [...means.subarray(0, rank)],
    transitions: Array.from({ length: steps }, (_, t) => rows(states + t * rank * rank, rank, rank)),
    ...(states > rank && { stayers: { share, sizes: within(rank, share) } }),
    ...defined({ starting: logit('initial'), moving: logit('transitions', row => row) }),
    ...(parts && {
      splits: splits!.map(({ mode }): Split => ({ mode, columns: Array.from({ length: rank }, () => [time!.name]) })),
      parts,
    }),
  })
}
