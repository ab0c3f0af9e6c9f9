// @ts-check
// The public names of each package with their types, as text that is committed: a change of it shows in review.
import { writeFileSync } from 'node:fs'
import { libraryEntries } from './library.mjs'

/** @param {string} code @returns {string} without comments and empty lines */
const bare = code =>
  code
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .join('\n')

/** The report of each package, by the path of its file. @param {string} root @returns {Map<string, string>} */
export const apiReports = root => {
  /** @type {Map<string, string>} */
  const reports = new Map()
  for (const { entry, declarations } of libraryEntries(root)) {
    const path = `packages/${entry.replace('@polyad/', '').split('/')[0]}/api-report.txt`
    const sorted = [...declarations].sort((a, b) => (a.name < b.name ? -1 : 1))
    const text = [`=== ${entry}`, ...sorted.map(({ code }) => bare(code))].join('\n\n')
    reports.set(path, `${reports.has(path) ? `${reports.get(path)}\n` : ''}${text}\n`)
  }
  return reports
}

/** @param {string} root */
export const writeApiReports = root => {
  for (const [path, text] of apiReports(root)) writeFileSync(`${root}/${path}`, text)
}
