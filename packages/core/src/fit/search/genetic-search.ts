import { type Random, random } from '../../numeric/philox.ts'
import type { Run } from '../descent/run.ts'
import { BATCH, BROOD, LOOSE, type SearchLog } from './search-log.ts'
import type { Task } from './tasks.ts'

/** Models of a brood whose objectives differ by less, in nats, are one. */
const TWINS = 1e-4

/** If passes take long, the winners of so many broods have children with each other, whether or not they agree. */
const REUNION = 4
/** A gain of less, in nats, changes no conclusion. */
const NOTHING = 1

/**
 * Raises broods until enough of them agree: the first from the starts there are, each further one from its own. If some ended
 * elsewhere, the best of all broods have children with each other before the others are believed. (If all ended at one optimum, that
 * would be a model with copies of itself: another brood says more.)
 *
 * If passes take long, a search ends sooner in a landscape with more optima than it can tell: once enough was spent, and four broods and the
 * children of their winners have gained next to nothing.
 */
export const geneticSearch = async (log: SearchLog, seed: number): Promise<void> => {
  const draws = random(seed, 'parents')
  const winners: Run[] = []
  let founders: readonly Run[] = log.runnersUp.slice()
  let before = { cost: log.cost, objective: log.best?.objective ?? Number.POSITIVE_INFINITY }
  while (founders.length > 0 && !log.over) {
    winners.push(await brood(log, founders, draws))
    await log.settle('recombined', winners[winners.length - 1])
    if (log.confirmed) {
      if (log.broodsAtBest === winners.length) return
      const best = (log.best as Run).objective
      const reunited = await brood(log, winners, draws)
      if (!log.isBetter(reunited.objective, best)) return
      winners.push(reunited)
      await log.settle('recombined', reunited)
    } else if (log.enough !== undefined && winners.length % REUNION === 0) {
      const reunited = await brood(log, winners.slice(-BROOD.size), draws)
      if (log.isBetter(reunited.objective, (log.best as Run).objective)) {
        winners.push(reunited)
        await log.settle('recombined', reunited)
      }
      const now = { cost: log.cost, objective: (log.best as Run).objective }
      const gain = before.objective - now.objective
      if (log.cost >= log.enough && gain < NOTHING * log.unit) {
        log.standstill = { passes: Math.round(now.cost - before.cost), gain }
        return
      }
      before = now
    }
    const count = Math.min(BROOD.size, log.startsLeft)
    founders = await log.perform(log.startTasks(count, log.limit(LOOSE, count)), 'recombination')
  }
}

/** Models have children until no child is better than all of them; those that are worst make room. */
const brood = async (log: SearchLog, founders: readonly Run[], draws: Random): Promise<Run> => {
  const kept: Run[] = []
  const add = (run: Run) => {
    if (kept.some(each => Math.abs(each.objective - run.objective) <= TWINS * log.unit)) return
    kept.push(run)
    kept.sort((a, b) => a.objective - b.objective)
    if (kept.length > BROOD.most) kept.splice(BROOD.size)
  }
  founders.forEach(add)
  /** The better of two, so that the best have most children. */
  const parent = () => Math.min(draws.below(kept.length), draws.below(kept.length))
  let stale = 0
  while (stale < BROOD.stale && !log.over) {
    const stopping = log.limit(LOOSE, BATCH.children)
    const target = kept[kept.length - 1].objective
    const tasks = Array.from({ length: BATCH.children }, (): Task => {
      const [one, other] = [kept[parent()].parameters, kept[parent()].parameters]
      return { kind: 'child', one, other, child: log.children++, target, stopping }
    })
    const before = kept[0].objective
    for (const run of await log.perform(tasks, 'recombination')) add(run)
    stale = log.isBetter(kept[0].objective, before) ? 0 : stale + tasks.length
  }
  return kept[0]
}
