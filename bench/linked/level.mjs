// @ts-nocheck
// How often tests of the number of classes reject a true model of persons over time or of groups: `node bench/linked/level.mjs [samples] [replicates] [design] [starts of replicates]`.
import { tensorFromRows, testRanks } from '@polyad/core'
import { groupRows, panelRows, percent, source, twoClasses } from './draw.mjs'

const [samples, replicates] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 39)]
const LEVELS = [0.05, 0.1, 0.25, 0.5]

const schools = { groups: 16, members: 12, sizes: [0.5, 0.5], mixes: [[0.8, 0.2], [0.2, 0.8]], yes: twoClasses(3) } // biome-ignore format: a table
const persons = { persons: 60, waves: 3, initial: [0.6, 0.4], moves: [[[0.85, 0.15], [0.15, 0.85]]], yes: twoClasses(3) } // biome-ignore format: a table
const nested = { within: 'group', groupClasses: 2 }
const DESIGNS = {
  '16 groups of 12, 3 items': [schools, nested],
  '40 groups of 15, 5 items': [{ ...schools, groups: 40, members: 15, yes: twoClasses(5) }, nested],
  '60 persons, 3 waves, 3 items': [persons, { person: 'id', time: 'wave' }],
  '150 persons, 3 waves, 5 items': [
    { ...persons, persons: 150, yes: twoClasses(5) },
    { person: 'id', time: 'wave' },
  ],
}
const [chosen, replicateStarts] = process.argv.slice(4, 6).map(Number)

for (const [i, [name, [design, links]]] of Object.entries(DESIGNS).entries()) {
  if (chosen !== undefined && chosen !== i) continue
  const pValues = []
  const began = process.cpuUsage()
  for (let sample = 0; sample < samples; sample++) {
    const draw = 'groups' in design ? groupRows : panelRows
    const data = tensorFromRows(draw(source(3000 + sample, i), design))
    const options = {
      ...links,
      rank: 2,
      replicates,
      seed: 1 + sample,
      all: true,
      threads: 1,
      ...(replicateStarts !== undefined && { replicateStarts }),
    }
    const { pValue, statistic, converged } = await testRanks(data, options)
    pValues.push(pValue)
    if (process.env.POLYAD_EACH) console.log(sample, pValue, statistic.toFixed(4), converged)
  }
  const { user, system } = process.cpuUsage(began)
  const rejected = LEVELS.map(level => pValues.filter(p => p <= level + 1e-12).length / samples)
  const row = [name, ...rejected.map(percent), `${((user + system) / 1e6 / samples).toFixed(1)} s`]
  console.log(`| ${row.join(' | ')} |`)
}
