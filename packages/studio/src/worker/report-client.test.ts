import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const sources = new URL('..', import.meta.url)

it('reports are made and drawn in workers alone: no other module of the page imports what makes them', () => {
  const makers = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .filter(path => /\b(reportPage|makeReport)\b/.test(readFileSync(new URL(path, sources), 'utf8')))
  expect(makers.sort()).toEqual(['worker/report-worker.ts', 'worker/statistics-jobs.ts'])
})
