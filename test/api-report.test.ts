import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { apiReports } from '../scripts/docs/api-report.mjs'

/** What the packages offer to programs, as it was last agreed to. */

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

it.each([...apiReports(root)])('%s is what the package exports (npm run api writes it anew)', (path, text) => {
  expect(text).toBe(readFileSync(`${root}/${path}`, 'utf8'))
})
