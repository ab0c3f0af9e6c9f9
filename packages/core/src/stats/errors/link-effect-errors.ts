import { unstandardize } from '../../fit/covariates/terms.ts'
import { exp } from '../../numeric/exp.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import type { LinkEffect } from '../model-data/link-effects.ts'
import { namedLogit } from '../model-data/linked-structure.ts'
import type { PlacedLinks } from '../model-data/placed-links.ts'
import type { LinkCoefficient, LinkEffects } from './error-results.ts'
import type { LinkedParameters } from './linked-scores.ts'
import { waldTest } from './wald.ts'

/** An error of a standardized coefficient that is this large is none: the estimate runs off to infinity. */
const BEYOND = 100

/** Odds of e¹⁰ to 1 that the data does not determine are on their way to infinity. */
const RUN_OFF = 10

/** The covariance of all parameters, and those that the data does not determine. */
interface Solved {
  readonly covariance: Float64Array
  readonly flat?: ReadonlySet<number>
}

/** What covariates explain, with errors. @param width of an interval, in standard errors */
export const linkEffects = (
  parameters: LinkedParameters,
  { data, rank }: PlacedLinks,
  solved: Solved,
  width: number,
): LinkEffects[] => data.effects.flatMap(effect => effectsOf(parameters, effect, rank, solved, width) ?? [])

const effectsOf = (
  parameters: LinkedParameters,
  effect: LinkEffect,
  rank: number,
  { covariance, flat = new Set() }: Solved,
  width: number,
): LinkEffects | undefined => {
  const logits = parameters.logits.filter(({ part }) => part.link.design.values === effect.link.values)
  if (logits.length === 0) return undefined
  const { design, intercepts: sets, part } = effect
  const { count } = parameters
  const terms = design.terms.length
  const perEntry = sets + terms - 1
  const named = unstandardize(design.terms, design.covariates)
  const isMoving = part === 'transitions'
  const hasStayers = part === 'initial' && logits[0].part.link.length > rank
  const all = logits.flatMap(({ part: logit, coefficients, offset }, row) => {
    const estimates = namedLogit(effect, coefficients, logit.link.length)
    const reference = isMoving ? row : 0
    return estimates.flatMap((ofEntry, k) => {
      if (k === reference) return []
      // Intercepts of every step or group class, and every slope once.
      const wanted = [
        ...Array.from({ length: sets }, (_, s) => ({ s, p: 0 })),
        ...Array.from({ length: terms - 1 }, (_, p) => ({ s: 0, p: p + 1 })),
      ]
      return wanted.map(({ s, p }) => {
        /** The coefficient as a sum of parameters. */
        const parts = new Map<number, number>()
        for (const [entry, sign] of [
          [k, 1],
          [reference, -1],
        ])
          for (let q = 0; entry > 0 && q < terms; q++) {
            const times = named[p * terms + q]
            const at = offset + (entry - 1) * perEntry + (q === 0 ? s : sets + q - 1)
            if (times !== 0) parts.set(at, (parts.get(at) ?? 0) + sign * times)
          }
        const estimate = ofEntry[s][p] - estimates[reference][s][p]
        const scale = Math.max(...Array.from(parts.values(), Math.abs))
        return { row, k, s, p, parts, estimate, scale }
      })
    })
  })
  const errorOf = (parts: ReadonlyMap<number, number>) => {
    let variance = 0
    for (const [a, times] of parts)
      for (const [b, other] of parts) variance += times * other * covariance[a * count + b]
    return Math.sqrt(Math.max(0, variance))
  }
  const known = all.map(each => {
    const error = errorOf(each.parts)
    const isFlat = [...each.parts.keys()].some(at => flat.has(at))
    return { ...each, error: !isFlat && error > 0 && error < BEYOND * each.scale ? error : undefined }
  })
  const coefficients = known.map(({ row, k, s, p, estimate, error }): LinkCoefficient => {
    const z = error === undefined ? undefined : estimate / error
    return Object.freeze({
      from: isMoving ? row + 1 : undefined,
      class: hasStayers ? (k % rank) + 1 : k + 1,
      stays: hasStayers ? k >= rank : undefined,
      term: design.terms[p].name,
      of: p === 0 && sets > 1 ? s + 1 : undefined,
      estimate,
      limit:
        error !== undefined
          ? 'finite'
          : Math.abs(estimate) < RUN_OFF
            ? 'undetermined'
            : estimate > 0
              ? 'infinity'
              : '-infinity',
      error,
      z,
      pValue: z === undefined ? undefined : chiSquareTail(z * z, 1),
      oddsRatio: exp(estimate),
      interval:
        error === undefined
          ? undefined
          : Object.freeze([exp(estimate - width * error), exp(estimate + width * error)] as const),
    })
  })
  const tests = design.covariates.map(({ mode: { name } }) => {
    const tested = known.filter(
      ({ p, error }) => error !== undefined && design.terms[p].factors.some(({ covariate }) => covariate === name),
    )
    return Object.freeze({ covariate: name, test: testOf(tested, covariance, count) })
  })
  return Object.freeze({
    part,
    reference: isMoving ? undefined : 1,
    covariates: Object.freeze(design.covariates.map(({ mode }) => mode.name)),
    coefficients: Object.freeze(coefficients),
    tests: Object.freeze(tests),
  })
}

const testOf = (
  tested: readonly { readonly parts: ReadonlyMap<number, number>; readonly estimate: number }[],
  covariance: Float64Array,
  count: number,
) => {
  if (tested.length === 0) return undefined
  const size = tested.length
  const own = new Float64Array(size * size)
  tested.forEach(({ parts }, i) => {
    tested.forEach((other, j) => {
      for (const [a, times] of parts)
        for (const [b, factor] of other.parts) own[i * size + j] += times * factor * covariance[a * count + b]
    })
  })
  const unit = tested.map((_, i) => tested.map((_, j) => (i === j ? 1 : 0)))
  return waldTest(
    unit,
    Float64Array.from(tested, ({ estimate }) => estimate),
    own,
  )
}
