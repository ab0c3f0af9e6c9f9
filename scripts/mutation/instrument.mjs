// @ts-check
// Code with all its mutants built in: Stryker's instrumenter puts each behind a switch, `stryMutAct_9fa48(number) ? mutant : original`.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ line: number, column: number }} Place lines and columns from 0
 * @typedef {{ id: number, file: string, mutator: string, start: Place, end: Place, original: string, replacement: string }} Mutant
 */

const silent = Object.fromEntries(
  ['isTraceEnabled', 'isDebugEnabled', 'isInfoEnabled', 'trace', 'debug', 'info', 'warn', 'error'].map(name => [
    name,
    () => false,
  ]),
)

/**
 * A number between 0 and 1 that depends on what a mutant is and on the seed: the same are drawn again after the tests have changed.
 * @param {Mutant} mutant @param {number} seed
 */
export const lot = ({ file, mutator, start, end, replacement }, seed) => {
  const text = JSON.stringify([seed, file, mutator, replacement, start.line, start.column, end.line, end.column])
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** @param {string} text @param {Place} start @param {Place} end */
const between = (text, start, end) => {
  const lines = text.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column)
  return [lines[0].slice(start.column), ...lines.slice(1)].join('\n')
}

/** A package that only run.mjs installs: there may be no types of it. @param {string} name @returns {Promise<any>} */
const installed = name => import(name)

/**
 * @param {string} root @param {string[]} files paths below the root
 * @returns {Promise<{ code: Record<string, string>, mutants: Mutant[] }>} instrumented code by path
 */
export const instrument = async (root, files) => {
  const { createInjector } = await installed('typed-inject')
  const { createInstrumenter } = await installed('@stryker-mutator/instrumenter')
  const instrumenter = createInjector().provideValue('logger', silent).injectFunction(createInstrumenter)
  const texts = Object.fromEntries(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
  const done = await instrumenter.instrument(
    files.map(name => ({ name, content: texts[name], mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: true },
  )
  /** @param {string} text */
  const withNumbers = text =>
    text.replace(
      /(stry(?:MutAct|Cov)_9fa48\()((?:"\d+"(?:, )?)+)\)/g,
      (_, name, ids) => `${name}${ids.replaceAll('"', '')})`,
    )
  return {
    code: Object.fromEntries(done.files.map((/** @type {any} */ { name, content }) => [name, withNumbers(content)])),
    mutants: done.mutants.map(
      (/** @type {any} */ { id, fileName, mutatorName, replacement, location: { start, end } }) => ({
        id: Number(id),
        file: fileName,
        mutator: mutatorName,
        start,
        end,
        original: between(texts[fileName], start, end),
        replacement: replacement ?? '',
      }),
    ),
  }
}
