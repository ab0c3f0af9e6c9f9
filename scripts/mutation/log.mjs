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
 * The mutants that were killed, by tests that were not doubted afterwards.
 * @param {any[]} log @returns {Set<number>}
 */
export const killedIn = log => {
  /** @type {Map<string, Set<number>>} */
  const byTest = new Map()
  for (const { kind, id, test } of log) {
    if (kind === 'killed') byTest.set(test, (byTest.get(test) ?? new Set()).add(id))
    else if (kind === 'doubted') byTest.delete(test)
  }
  return new Set([...byTest.values()].flatMap(ids => [...ids]))
}
