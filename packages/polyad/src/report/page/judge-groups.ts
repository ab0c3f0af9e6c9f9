import { chiSquareTail } from '@polyad/core/numeric'
import { CRITERIA } from '@polyad/core/stats'
import { isResidual } from '../figures/meaning.ts'
import { inText } from '../html.ts'
import { fixed, pText } from '../numbers.ts'
import { capital, inWords, listed } from '../prose.ts'
import type { ReportFacts } from '../record/report.ts'
import { fitTest, LEVEL } from './fit-test.ts'
import { type Judgement, judgement } from './judgement.ts'

/** The answer if nothing in the data supports more than one class. */
export const NO_GROUPS = 'No groups found: one class is enough.'

/** Whether the data has groups at all: what criteria and tests say of one class against more. */
export const judgeGroups = (facts: ReportFacts): Judgement | undefined => {
  const compared = comparison(facts)
  if (compared !== undefined) return judgeComparison(facts, compared)
  return facts.classes.length === 1 ? judgeOneClass(facts) : undefined
}

interface Comparison {
  /** The criteria that prefer one class, and those that prefer more. */
  readonly one: readonly string[]
  readonly more: readonly string[]
  /** What the recommendation says, or BIC. */
  readonly prefersOne: boolean
}

/** By all numbers of classes that were tried if one is among them; else this number against one. */
const comparison = ({ ranks, oneClass, statistics, classes }: ReportFacts): Comparison | undefined => {
  const split = (all: readonly { readonly name: string; readonly rank: number }[]) => ({
    one: all.flatMap(({ name, rank }) => (rank === 1 ? [name] : [])),
    more: all.flatMap(({ name, rank }) => (rank > 1 ? [name] : [])),
  })
  if (ranks !== null && ranks.ranks.length > 1 && ranks.ranks.includes(1) && ranks.recommended !== null)
    return { ...split(ranks.preferred), prefersOne: ranks.recommended === 1 }
  if (classes.length === 1 || oneClass === null || statistics === null) return undefined
  const preferred = CRITERIA.flatMap(({ key, name }) => {
    if (key === 'heldOut') return []
    const [alone, own] = [oneClass[key], statistics.criteria[key]]
    return typeof alone === 'number' && typeof own === 'number'
      ? [{ name, rank: alone <= own ? 1 : classes.length }]
      : []
  })
  const bic = preferred.find(({ name }) => name === 'BIC')
  return bic && { ...split(preferred), prefersOne: bic.rank === 1 }
}

const judgeComparison = (facts: ReportFacts, { one, more, prefersOne }: Comparison): Judgement => {
  const test = facts.ranks?.tests.find(({ rank }) => rank === 1)
  const rejected = test !== undefined && test.pValue < LEVEL
  const evidence = [
    preferences(one, more),
    ...(prefersOne ? [] : gain(facts)),
    ...(test === undefined
      ? []
      : [`A bootstrap test ${rejected ? 'rejects' : 'does not reject'} one class against ${inWords(test.against)}.`]),
  ]
  if (prefersOne && rejected)
    return judgement('groups', 'fair', 'It is uncertain whether there are groups.', ...evidence)
  if (prefersOne) return judgement('groups', facts.classes.length === 1 ? 'good' : 'poor', NO_GROUPS, ...evidence)
  if (facts.classes.length === 1) return judgement('groups', 'poor', 'One class is not enough.', ...evidence)
  if (one.length > 1 || (test !== undefined && !rejected))
    return judgement('groups', 'fair', 'It is uncertain whether there are groups.', ...evidence)
  return judgement(
    'groups',
    'good',
    one.length === 0 ? 'The data has groups.' : 'The data probably has groups.',
    ...evidence,
  )
}

/** By how much BIC prefers these classes to one. */
const gain = ({ oneClass, statistics, classes }: ReportFacts): string[] => {
  const [alone, own] = [oneClass?.bic, statistics?.criteria.bic]
  return classes.length === 1 || typeof alone !== 'number' || typeof own !== 'number' || own >= alone
    ? []
    : [`BIC is ${fixed(alone - own, 1)} lower with ${inWords(classes.length)} classes than with one.`]
}

const preferences = (one: readonly string[], more: readonly string[]): string => {
  const prefer = (names: readonly string[], what: string) =>
    `${listed(names)} ${names.length === 1 ? 'prefers' : 'prefer'} ${what}`
  if (one.length === 0) return `All criteria prefer several classes to one.`
  if (more.length === 0) return `All criteria prefer one class to several.`
  return `${capital(prefer(one, 'one class'))}; ${prefer(more, 'several')}.`
}

/** One class by itself: whether anything in the data contradicts independence. */
const judgeOneClass = (facts: ReportFacts): Judgement | undefined => {
  const test = fitTest(facts)
  if (test !== null)
    return test.p < LEVEL
      ? judgement(
          'groups',
          'poor',
          'One class is not enough.',
          `The variables are associated (${test.text}): try more classes.`,
        )
      : judgement('groups', 'good', NO_GROUPS, `The variables are not significantly associated (${test.text}).`)
  const { pairs, data } = facts
  if (pairs === null || pairs.length === 0 || data.weights !== null || data.whole === false) return undefined
  const all = pairs.filter(({ residual }) => isResidual(residual))
  const tested = all.map(pair => ({ ...pair, p: chiSquareTail(pair.chiSquared, pair.degreesOfFreedom) }))
  if (tested.length === 0) return undefined
  const worst = tested.reduce((least, each) => (each.p < least.p ? each : least))
  // As many tests as pairs: Bonferroni's correction.
  const p = Math.min(1, worst.p * tested.length)
  const most = `${inText(worst.modes[0])} and ${inText(worst.modes[1])}: bivariate residual ${fixed(worst.residual, 1)}, ${pText(p)} with Bonferroni’s correction`
  return p < LEVEL
    ? judgement('groups', 'poor', 'One class is not enough.', `Variables are associated (${most}): try more classes.`)
    : judgement('groups', 'good', NO_GROUPS, `No pair of variables is significantly associated (${most}).`)
}
