import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { machine } from './machine.js'
import { table } from './table.js'

/**
 * `npm run bench:shell [rounds [words of a command]]`: how long a command takes from the shell, beside Node alone; without words, a fit of a table
 * with 20 rows. With POLYAD_OLD, the folder of another build's packages/core/dist, both builds take turns. On a busy machine, processor time says
 * more than the clock.
 */
const [rounds = 20, ...words] = [...process.argv.slice(2, 3).map(Number), ...process.argv.slice(3)] as [
  number?,
  ...string[],
]
const root = resolve('.')
const other = process.env.POLYAD_OLD
const builds = [...(other === undefined ? [] : [['the other', resolve(other, '../../..')]]), ['this build', root]]
const SMALL = ['fit', 'packages/studio/public/examples/carcinoma.csv', '-k', '2']
const commands = [
  ['node -e 0', ['-e', '0']],
  ...(words.length > 0 ? [words] : [SMALL, ['fit', '--help']]).flatMap(line =>
    builds.map(([build, folder]) => [
      `polyad ${line.map(word => basename(word)).join(' ')}, ${build}`,
      [join(folder, 'packages/polyad/bin/polyad.js'), ...line],
    ]),
  ),
] as [name: string, args: string[]][]

/** Seconds of the processor of all processes that were started and have ended: Linux counts them in hundredths. */
const processor = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

const figures = commands.map(() => ({ seconds: [] as number[], processor: 0 }))
for (let round = 0; round < rounds; round++)
  for (const [i, [name, args]] of commands.entries()) {
    const [before, began] = [processor(), performance.now()]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    figures[i].seconds.push((performance.now() - began) / 1000)
    figures[i].processor += processor() - before
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  }
const rows = figures.map(({ seconds, processor: used }, i) => {
  const sorted = seconds.toSorted((a, b) => a - b)
  return [commands[i][0], ...[sorted[0], sorted[rounds >> 1], used / rounds].map(each => each.toFixed(3))]
})
process.stdout.write(
  `${machine()}; ${rounds} rounds\n\n${table(['command', 'least s', 'median s', 'mean processor s'], rows)}\n`,
)
