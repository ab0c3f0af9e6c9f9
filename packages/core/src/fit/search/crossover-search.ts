import type { Parameters } from '../../model/parameters.ts'
import type { Run } from '../descent/run.ts'
import { WORTHWHILE } from './budget.ts'
import { REPLICATIONS } from './optima.ts'
import { BATCH, LOOSE, type SearchLog } from './search-log.ts'
import { CROSS_OVERHEAD, type Task } from './tasks.ts'

/** Crosses in a row without success that end a lineage. Eight missed a few more, twenty-four found nothing further. */
const STALE = 16
/** The ends of other starts that a lineage takes its first partners from. */
const KNOWN_PARTNERS = 4
/** Passes of the starts from which a lineage's founder is chosen. */
const FOUNDER_PASSES = 20
/** The fewest free passes with which crosses are made, and, if passes are dear, a lineage of its own is begun. */
const CROSSES_NEED = BATCH.crosses * (CROSS_OVERHEAD + WORTHWHILE / 2)
const LINEAGE_NEEDS = BATCH.starts * FOUNDER_PASSES + CROSSES_NEED

/** Raises lineages until enough attempts agree: the first from the best of the starts, each further one from its own. */
export const crossoverSearch = async (log: SearchLog): Promise<void> => {
  if (log.over) return
  const founder = log.best as Run
  const others = log.runnersUp.filter(run => run !== founder)
  const partners = others.slice(0, KNOWN_PARTNERS).map(({ parameters }) => parameters)
  const head = await lineage(log, founder, partners)
  if (head !== founder) await log.settle('recombined', head)
  const least = log.budget === undefined ? 0 : LINEAGE_NEEDS
  while (!log.over && log.free > least && log.optima.timesBest < REPLICATIONS) {
    const stopping = log.limit(LOOSE, BATCH.starts, FOUNDER_PASSES)
    const tasks = log.startTasks(Math.min(log.most(BATCH.starts), log.startsLeft), stopping)
    const runs = await log.perform(tasks, 'recombination')
    if (runs.length > 0) await log.settle('recombined', await lineage(log, lowest(runs), []))
  }
}

/** Improves a model by crosses until nothing helps; the partners at hand come first, then fresh starts. */
const lineage = async (log: SearchLog, founder: Run, partners: readonly Parameters[]): Promise<Run> => {
  let head = founder
  let stale = 0
  let used = 0
  while (stale < STALE && !log.over && log.free > CROSSES_NEED) {
    const count = Math.min(BATCH.crosses, log.startsLeft)
    const { maxPasses, ...loose } = log.limit(LOOSE, count, log.budget?.recombination)
    const stopping = { ...loose, maxPasses: Math.max(2, maxPasses - CROSS_OVERHEAD) }
    const tasks = Array.from({ length: count }, (): Task => {
      const other = used < partners.length ? partners[used++] : { start: log.fresh++ }
      return { kind: 'cross', one: head.parameters, other, target: head.objective, stopping }
    })
    const children = await log.perform(tasks, 'recombination')
    if (children.length === 0) break
    const child = lowest(children)
    const success = log.isBetter(child.objective, head.objective)
    if (success) head = child
    stale = success ? 0 : stale + count
  }
  return head
}

const lowest = (runs: readonly Run[]): Run => runs.reduce((a, b) => (b.objective < a.objective ? b : a))
