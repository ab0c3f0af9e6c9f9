// @ts-check
// What became of each mutant, one line each time it met a test: `killed`, `survived`. `begun` says which one a process was busy with when it ended.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} folder */
export const logPath = folder => join(folder, 'log.jsonl')

/** @param {string} folder @returns {any[]} */
export const logOf = folder =>
  (existsSync(logPath(folder)) ? readFileSync(logPath(folder), 'utf8') : '')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** @param {string} folder @param {{ kind: string, [key: string]: unknown }} line */
export const append = (folder, line) => appendFileSync(logPath(folder), `${JSON.stringify(line)}\n`)

/**
 * The mutants that were killed, but for those of which it was doubted afterwards.
 * @param {any[]} log @returns {Set<number>}
 */
export const killedIn = log => {
  /** @type {Set<number>} */
  const killed = new Set()
  for (const { kind, id, ids } of log) {
    if (kind === 'killed') killed.add(id)
    else if (kind === 'doubted') for (const each of ids) killed.delete(each)
  }
  return killed
}
