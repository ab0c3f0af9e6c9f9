// @ts-nocheck
// What the default search misses on planted panels and groups: `node bench/linked/search.mjs [problems] [first]`.
import { fitStructured, tensorFromRows } from '@polyad/core'
import { groupRows, panelRows, source } from './draw.mjs'

const [problems, first] = [Number(process.argv[2] ?? 40), Number(process.argv[3] ?? 1)]
const SEEDS = [1, 2]
/** What else is run for the best known. */
const REFERENCE = { starts: 60, seed: 99 }
/** A log-likelihood below the best known by more than this is a miss. */
const MISS = 0.005

/** Two to four classes, four to seven items, up to a tenth of answers missing: panels and groups in turn. */
const problem = number => {
  const own = source(number, 'search')
  const { uniform } = own
  const between = (low, high) => low + Math.floor(uniform() * (high - low + 1))
  const shares = (count, least = 0.3) => {
    const raw = Array.from({ length: count }, () => least + uniform())
    const sum = raw.reduce((a, b) => a + b)
    return raw.map(each => each / sum)
  }
  const [rank, items, lacking] = [between(2, 4), between(4, 7), 0.1 * uniform()]
  const yes = Array.from({ length: rank }, () => Array.from({ length: items }, () => 0.05 + 0.9 * uniform()))
  if (number % 2 === 0) {
    const groupClasses = between(2, 3)
    const mixes = Array.from({ length: groupClasses }, () => shares(rank, 0.05))
    const design = { groups: between(30, 80), members: between(10, 30), sizes: shares(groupClasses), mixes, yes, lacking } // biome-ignore format: a list
    return { kind: 'groups', rank, rows: groupRows(own, design), links: { within: 'group', groupClasses } }
  }
  const [waves, same] = [between(3, 6), uniform() < 0.5]
  const moves = Array.from({ length: same ? 1 : waves - 1 }, () =>
    Array.from({ length: rank }, (_, k) => shares(rank).map((share, i) => 0.35 * share + (i === k ? 0.65 : 0))),
  )
  const design = { persons: between(150, 500), waves, initial: shares(rank), moves, yes, lacking }
  const links = { person: 'id', time: 'wave', transitions: same ? 'same' : 'free' }
  return { kind: 'panel', rank, rows: panelRows(own, design), links }
}

const counts = { searches: 0, missed: 0, trusted: 0, trustedMissed: 0 }
const gaps = []
for (let number = first; number < first + problems; number++) {
  const { kind, rank, rows, links } = problem(number)
  const data = tensorFromRows(rows)
  const run = async more => (await fitStructured(data, { ...links, rank, threads: 1, ...more })).result
  const own = []
  for (const seed of SEEDS) own.push(await run({ seed }))
  const reference = await run(REFERENCE)
  const best = Math.max(reference.logLikelihood, ...own.map(({ logLikelihood }) => logLikelihood))
  for (const { logLikelihood, verdict } of own) {
    const isMissed = best - logLikelihood > MISS
    counts.searches++
    if (isMissed) {
      counts.missed++
      gaps.push(best - logLikelihood)
    }
    if (verdict.advice.length > 0) continue
    counts.trusted++
    if (isMissed) counts.trustedMissed++
  }
  const below = own.map(({ logLikelihood, verdict }) => `${(best - logLikelihood).toFixed(4)}${verdict.advice.length > 0 ? ' (advice)' : ''}`) // biome-ignore format: one list
  console.log(`${number}: ${kind}, ${rank} classes, ${data.total} rows; below the best known: ${below.join(', ')}`)
}
const { searches, missed, trusted, trustedMissed } = counts
console.log(`${searches} searches: ${missed} missed, ${trusted} without advice, of which ${trustedMissed} missed`)
if (gaps.length > 0) console.log(`gaps: ${gaps.map(gap => gap.toFixed(3)).join(' ')}`)
