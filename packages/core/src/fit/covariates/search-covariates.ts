import type { Session } from '../../engine/engine.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { log } from '../../numeric/log.ts'
import { wholeNumber } from '../../options.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { type StoppingOptions, stoppingOptions, unitOf } from '../descent/stopping.ts'
import type { Progress } from '../fit-options.ts'
import type { FitResult } from '../fit-session.ts'
import { Optima } from '../search/optima.ts'
import { Pace } from '../search/pace.ts'
import type { Attempt, Origin } from '../search/search-log.ts'
import { type Verdict, verdictOf } from '../search/verdict.ts'
import { type CovariateRun, covariateRun } from './descent.ts'
import type { CovariateData } from './design.ts'

export interface CovariateSearchOptions extends StoppingOptions {
  readonly rank: number
  readonly seed?: number
  readonly starts?: 'auto' | number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** What a search found. */
export interface CovariateSearch {
  readonly best: CovariateRun
  readonly attempts: readonly Attempt[]
  readonly optima: FitResult['optima']
  readonly passes: number
  readonly verdict: Verdict
}

/** Random starts besides the fit without covariates: as many as this much work (cells × modes × classes × passes) allows. */
const STARTS = { least: 1, most: 10, work: 1e9, passesEach: 100 }
/** Passes of EM before acceleration: from a fit without covariates there is little to be found out, from nothing there is much. */
const WARM_UP = { given: 3, random: 20 }

/** Looks for the best model from the fit without covariates and from random starts; all of them count as attempts. */
export const searchCovariates = async (
  session: Session,
  { design }: Pick<CovariateData, 'design'>,
  plain: Parameters,
  options: CovariateSearchOptions,
): Promise<CovariateSearch> => {
  const { rank, seed = 1, starts = 'auto', signal, onProgress } = options
  const { cells, shape, total } = session.data
  const stopping = stoppingOptions(options, session.data, rank, session.traits.precision)
  const affordable = Math.floor(STARTS.work / (cells * shape.length * rank * STARTS.passesEach))
  const more =
    starts === 'auto' ? Math.min(STARTS.most, Math.max(STARTS.least, affordable)) : wholeNumber('starts', starts, 1) - 1
  const optima = new Optima(unitOf(total), session.traits.precision)
  const attempts: Attempt[] = []
  const pace = new Pace()
  const nanos = session.traits.nanosPerPass(rank)
  let passes = 0
  const runs: CovariateRun[] = []
  const lowest = () =>
    runs.reduce<CovariateRun | undefined>((a, b) => (a !== undefined && a.loss <= b.loss ? a : b), undefined)
  const attempt = async (origin: Origin, items: Parameters, warmUp: number) => {
    const report = (pass: number, loss: number) =>
      onProgress?.({
        ...{ rank, pass, loss, passes: passes + pass, phase: origin === 'given' ? 'finish' : 'starts' },
        ...{ runs: attempts.length, best: lowest()?.loss ?? Number.POSITIVE_INFINITY },
        // How many it will take is not known.
        maxPasses: Number.MAX_SAFE_INTEGER,
      })
    const run = await covariateRun(session, design, startFrom(items, design.terms.length), {
      stopping,
      warmUp,
      signal,
      onPass: async (pass, loss) => {
        if (!pace.due(nanos)) return
        report(pass, loss)
        await eventLoopTurn()
      },
    })
    passes += run.passes
    const { loss, stationarity, reason } = run
    attempts.push(Object.freeze({ origin, loss, passes: run.passes, stationarity, reason }))
    optima.add(run, true)
    runs.push(run)
    report(0, loss)
  }
  await attempt('given', plain, WARM_UP.given)
  for (let start = 0; start < more && !signal?.aborted; start++)
    await attempt('random', randomStart(shape.slice(0, -1), rank, seed, start), WARM_UP.random)
  const best = lowest() as CovariateRun
  return {
    best,
    attempts,
    optima: optima.describe(),
    passes,
    verdict: verdictOf({
      best,
      optima,
      closed: false,
      exhausted: false,
      broods: false,
      stopped: signal?.aborted === true,
    }),
  }
}

/** Membership by the shares alone: the intercepts are their logits, all else is zero. */
const startFrom = (items: Parameters, terms: number) => {
  const { rank, shares } = items
  const least = Math.max(...shares) * 1e-6
  const coefficients = new Float64Array((rank - 1) * terms)
  for (let k = 1; k < rank; k++)
    coefficients[(k - 1) * terms] = log(Math.max(shares[k], least)) - log(Math.max(shares[0], least))
  return { items, coefficients }
}
