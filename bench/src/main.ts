import { writeFileSync } from 'node:fs'
import { growthTable, modesTable, parametersTable, searchMemoryTable, smallTable } from './growth.js'
import { machine } from './machine.js'
import { measureTable, passTable } from './passes.js'
import { profileTable } from './profile.js'

/**
 * `npm run bench [names]`: prints the tables, and with all tensors also writes bench/RESULTS.md; `npm run bench modes` prints the growth with the modes,
 * `npm run bench parameters` what parameters cost; with POLYAD_OLD, the folder of another build's packages/core/dist, both take turns.
 */
const say = (text: string) => process.stderr.write(`  ${text}\n`)
const names = process.argv.slice(2)

const LIMITS = `For every leaf and pair of classes a kernel reads a factor and a statistics row, multiplies twice, adds three times and
writes once. Up to rank 16, everything else stays in registers. The remaining costs are the branch misprediction at the end of each short fibre (two leaves on T3)
and the second-level cache, which has the rows. Above rank 16, the prefix's product is read again for the update, and the number of instructions
limits the loops: with all tables in the first-level cache they are only about a tenth faster.
WebAssembly has vectors of 128 bits and no fused multiply-add, so a C compiler with 256 bits needs half the instructions; with the
same 128 bits a C program is about as fast as these kernels, except for its logarithm: [YARDSTICK.md](YARDSTICK.md). The caches limit T2: its tables are processed in ranges that fit the second-level cache.
If values are small whole numbers, logarithms of products replace sums of logarithms; if they are real, there is a vector logarithm.`

const parts: [string, string][] = []
const part = async (title: string, make: () => Promise<string>) => {
  process.stderr.write(`${title} …\n`)
  const text = await make()
  process.stdout.write(`\n## ${title}\n\n${text}\n`)
  parts.push([title, text])
}

const modes = () => part('Growth with the modes (3,000 cells, 5 labels each, one thread)', () => modesTable(say))
const parameters = () => part('More parameters than cells (one thread)', () => parametersTable(say))
if (names[0] === 'modes') await modes()
else if (names[0] === 'parameters') await parameters()
else await part('The cost of a pass', () => passTable(say, names.length > 0 ? names : undefined))
if (names.length === 0) {
  await part('Measures of fit', () => measureTable(say))
  await part('Growth with the cells (1000³, one thread)', () => growthTable(say))
  await modes()
  await parameters()
  await part('Memory of a search', searchMemoryTable)
  await part('Small problems, on the calling thread', smallTable)
  await part('Where the time goes', () => profileTable(say))
  parts.push(['What limits it', LIMITS])
  const notes = `The best of several rounds, taken in turns within one run; other work on the machine changes single figures by a few
percent. "reference" is the plain TypeScript engine, in nanoseconds per cell.`
  const text = [`# Benchmarks\n\n${machine()}\n\n${notes}`, ...parts.map(([title, body]) => `## ${title}\n\n${body}`)]
  writeFileSync(new URL('../RESULTS.md', import.meta.url), `${text.join('\n\n')}\n`)
}
