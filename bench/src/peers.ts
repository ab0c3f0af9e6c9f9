import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machine } from './machine.js'
import { numbersTable } from './peer-numbers.js'
import { installPython } from './peer-programs.js'
import { SPEED, speedTable } from './peer-speed.js'

/**
 * `npm run bench:peers`: other programs beside Polyad, on the same data. `speed` and `numbers` make one of the two tables and put it
 * into docs/comparison.md; with names of data after it (`speed T2 S20`, `numbers gss82`) a part is printed, and nothing is written.
 */
const page = fileURLToPath(new URL('../../docs/comparison.md', import.meta.url))

/** Replaces what stands between a table's marks. */
const put = (name: string, text: string): void => {
  const [begin, end] = [`<!-- measured: ${name} -->`, '<!-- measured: end -->']
  const old = readFileSync(page, 'utf8')
  const from = old.indexOf(begin) + begin.length
  writeFileSync(
    page,
    `${old.slice(0, from)}\n\n${text}\n\nMeasured on ${machine()}.\n\n${old.slice(old.indexOf(end, from))}`,
  )
}

const [which, ...names] = process.argv.slice(2)
installPython()
if (which === undefined || which === 'speed') {
  const text = speedTable(names.length === 0 ? SPEED : names)
  process.stdout.write(`\n${text}\n`)
  if (names.length === 0) put('speed', text)
}
if (which === undefined || which === 'numbers') {
  const text = await numbersTable(names)
  process.stdout.write(`\n${text}\n`)
  if (names.length === 0) put('numbers', text)
}
