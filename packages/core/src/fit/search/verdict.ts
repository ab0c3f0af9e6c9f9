import { advise, inWords, type Sentence, words } from '../../wording.ts'
import type { Run } from '../descent/run.ts'
import type { Optima } from './optima.ts'
import type { Standstill } from './search-log.ts'

/** How reliable a solution is, with the evidence. */
export interface Verdict {
  /** One sentence for a person. */
  readonly text: string
  /** How many of the runs ended at the best loss, recombinations among them. */
  readonly reached: number
  /** How many runs there were: independent random starts, and recombinations of their solutions. */
  readonly attempts: number
  /** How many of the independent starts ended at the best loss. */
  readonly startsReached: number
  /** How many independent starts there were. */
  readonly starts: number
  /** The chance that one more independent start ends at an optimum not seen yet (Good–Turing); a better one is among those. */
  readonly unseen: number
  /**
   * The chance that there is a better optimum which a much longer search would find: what was seen on random problems where
   * searches ended with such evidence, not a law. `npm run bench:verdict` compares it with other problems.
   */
  readonly chanceOfBetter: number
  /** Whether models of the best loss differ in their parameters: the data does not tell them apart. */
  readonly ambiguous: boolean
  /** What to do where the result is not to be trusted yet; empty where it is. */
  readonly advice: readonly string[]
  /** The same in parts, for programs that name options in their own words. */
  readonly wording: readonly Sentence[]
}

export interface Evidence {
  readonly best: Run
  readonly optima: Pick<Optima, 'attempts' | 'timesBest' | 'starts' | 'startsBest' | 'unseen' | 'support' | 'ambiguous'>
  /** Whether recombined attempts are broods. */
  readonly broods: boolean
  /** A closed form, with nothing to search. */
  readonly closed: boolean
  /** Whether the search ended by its limits. */
  readonly exhausted: boolean
  /** Whether it was told to stop. */
  readonly stopped: boolean
  /** What it gained last, if it ended because that was so little. */
  readonly standstill?: Standstill | undefined
  /** Whether it began at a model that was given, in place of a search. */
  readonly given?: boolean
}

/** A result is trusted where the chance of a better one is at most this. */
const TRUSTED = 0.01

/** How often a better optimum existed where the best was reached once, twice, … */
const BY_REACHED = [1, 0.6, 0.3, 0.12, 0.07, 0.05]
/** Where it was reached more often: how often by the part of the starts that ended where no other did, and where all did not. */
const BY_UNSEEN = { slope: 0.3, most: 0.1, none: 0.05 }
/** Where nearly all starts end somewhere else, the part says nothing, and several lineages agreeing is what there is. */
const RUGGED = { above: 0.7, chance: 0.04 }

/**
 * How often if broods were raised: by how many of them ended at the best, none to four, unless most starts did too; and by how many
 * starts did, times how many broods it took for each at the best. Broods go deeper than starts, and so say more. But if few starts or
 * none reached the best, broods that agree say less: the best may be one that hardly any brood reaches.
 */
const BY_BROODS = {
  fewer: [0.5, 0.3, 0.12, 0.05, 0.02],
  each: { most: 0.001, many: 0.001, few: 0.005, none: 0.1 },
  highest: 0.3,
}

const estimatedChance = ({ optima, broods }: Pick<Evidence, 'optima' | 'broods'>): number => {
  const { attempts, timesBest, starts, startsBest, unseen, support } = optima
  if (broods) {
    const best = timesBest - startsBest
    const { fewer, each, highest } = BY_BROODS
    if (best === 0) return fewer[0]
    const chance = Math.min(highest, (each[support] * (attempts - starts)) / best)
    return support === 'most' ? chance : Math.max(chance, fewer[best] ?? 0)
  }
  if (timesBest < BY_REACHED.length) return BY_REACHED[timesBest]
  if (unseen > RUGGED.above) return RUGGED.chance
  return Math.min(BY_UNSEEN.most, BY_UNSEEN.slope * unseen) + BY_UNSEEN.none / Math.max(1, starts)
}

export const verdictOf = (evidence: Evidence): Verdict => {
  const { best, optima, closed } = evidence
  const stationary = `stationary to ${best.stationarity.toExponential(0)}`
  const told = (text: string, figures: Omit<Verdict, 'text' | 'advice' | 'wording'>, wording: readonly Sentence[]) => {
    const advice = Object.freeze(wording.map(each => inWords(each)))
    return Object.freeze({ text, ...figures, advice, wording: Object.freeze(wording) })
  }
  if (closed) {
    const counts = { reached: 1, attempts: 1, startsReached: 1, starts: 1 }
    const figures = { ...counts, unseen: 0, chanceOfBetter: 0, ambiguous: false }
    return told(`closed form: the global optimum; ${stationary}`, figures, [])
  }
  const { attempts, timesBest: reached, startsBest: startsReached, starts, unseen, ambiguous } = optima
  const counts = { reached, attempts, startsReached, starts }
  const parts = [
    attempts === 1
      ? evidence.given === true
        ? 'one start, from the model that was given'
        : 'one start'
      : reached === 1
        ? `1 of ${attempts} ${attempts === starts ? 'starts' : 'runs'} reached the best solution: treat it as provisional`
        : `${reachedText(counts)} reached the best solution`,
  ]
  const chance = estimatedChance(evidence)
  if (attempts > 1) parts.push(`estimated chance that a better one exists: ${percent(chance)}`)
  parts.push(
    best.reason === 'stationary'
      ? stationary
      : best.reason === 'settled'
        ? `stopped early: about ${units(best.estimatedGain ?? 0)} more log-likelihood units expected (extrapolated, not a bound)`
        : `not converged (residual ${best.stationarity.toExponential(0)})`,
  )
  const { standstill } = evidence
  if (standstill !== undefined)
    parts.push(
      `the search stopped early: its last ${standstill.passes} passes gained ${standstill.gain < 0.01 ? 'less than 0.01' : units(standstill.gain)} log-likelihood units`,
    )
  if (ambiguous) parts.push('solutions of this loss have different classes: the classes are not identified')
  return told(parts.join('; '), { ...counts, unseen, chanceOfBetter: chance, ambiguous }, adviceFor(evidence))
}

/**
 * Which runs reached the best solution, of how many of their kind.
 * @example
 * reachedText({ starts: 20, startsReached: 18, attempts: 26, reached: 23 }) // '18 of 20 starts and 5 of 6 recombinations'
 */
export const reachedText = ({
  reached,
  attempts,
  startsReached,
  starts,
}: Pick<Verdict, 'reached' | 'attempts' | 'startsReached' | 'starts'>): string => {
  const recombinations = attempts - starts
  const byStarts = `${startsReached} of ${starts} ${starts === 1 ? 'start' : 'starts'}`
  return recombinations === 0
    ? byStarts
    : `${byStarts} and ${reached - startsReached} of ${recombinations} ${recombinations === 1 ? 'recombination' : 'recombinations'}`
}

const percent = (chance: number): string => {
  if (chance === 0 || chance >= 0.095) return `${Math.round(100 * chance)}%`
  return chance < 0.001 ? 'under 0.1%' : `${(100 * chance).toPrecision(1)}%`
}

const units = (gain: number): string => (gain >= 1000 ? gain.toExponential(1) : gain.toPrecision(2))

const adviceFor = (evidence: Evidence): Sentence[] => {
  const { best, optima, exhausted, stopped, broods } = evidence
  const { attempts, timesBest: reached, ambiguous } = optima
  const chance = estimatedChance(evidence)
  const advice: Sentence[] = []
  const [passes, starts] = [advise('raise', 'maxPasses'), advise('raise', 'starts')]
  if (best.reason === 'passes') advice.push(words`the limit of passes was reached before it converged: ${passes}`)
  if (best.reason === 'stopped') advice.push('it was stopped before it converged: run it again for longer')
  if (best.reason === 'failed')
    advice.push(words`the engine failed before it converged: ${advise('go on from it with', 'init')}`)
  if (best.reason === 'stalled')
    advice.push('rounding keeps it from converging: scale the values, or lower the precision asked for')
  const again = words`${advise('fit again with', 'seed')} 2, 3, … and keep the best`
  const more = exhausted ? passes : broods ? again : starts
  if (stopped && chance > TRUSTED) advice.push('the search was cut short: give it more time')
  else if (attempts === 1)
    advice.push(
      evidence.given === true
        ? words`one start says nothing about other optima: ${advise('to search for them, leave out', 'init')}`
        : words`one start says nothing about other optima: ${starts}`,
    )
  else if (reached === 1) advice.push(words`the best solution was reached once: ${more}`)
  else if (chance > TRUSTED) advice.push(words`a better solution may exist: ${more}`)
  if (ambiguous) advice.push('the data does not determine this many classes: try fewer')
  return advice
}
