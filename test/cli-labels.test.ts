import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** Labels of variables and values at the command line. */
const scratch = scratchFolder()
afterAll(scratch.remove)
const survey = (name: string) => fileURLToPath(new URL(`data/survey/${name}`, import.meta.url))
const data = scratch.path('rows.csv')
const codes = scratch.path('codes.csv')
const [plain, labelled] = [scratch.path('plain.npz'), scratch.path('labelled.npz')]

beforeAll(() => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${1 + (i % 2)},${1 + (i % 3 > 0 ? i % 2 : 1)},${1 + (i % 5 > 0 ? i % 2 : 0)}`,
  )
  writeFileSync(data, `q1,q2,q3\n${rows.join('\n')}\n`)
  writeFileSync(codes, 'variable,value,label,question\nQ1,,Trust in police,How much?\n,1,low,\n,2,high,\nq2,1,no,\n')
})

const fit = (...more: string[]) => polyad(['fit', data, '-k', '2', '--starts', '2', '--count', 'none', ...more])

describe('a codebook', () => {
  it('changes what is shown, and nothing else', async () => {
    const before = objectOf(await fit('-o', plain, '--json'), 'fit')
    const after = objectOf(await fit('-o', labelled, '--labels', codes, '--json'), 'fit')
    expect([after.loss, after.profiles]).toEqual([before.loss, before.profiles])
    const shown = await fit('--labels', codes)
    expect(shown.stdout).toMatch(/q1: Trust in police +low +[01]\.\d{4} +[01]\.\d{4}\n +high /)
    expect((await fit('--labels', 'off')).stdout).toMatch(/q1 +1 +[01]\.\d{4}/)
  })

  it('is kept with the model, for tables, charts and reports', async () => {
    const table = async (...args: string[]) => (await polyad(['table', ...args])).stdout
    expect(await table(labelled)).toMatch(
      /\*\*Trust in police\*\* .*\n\|.*low .*\n\|.*high .*\n\| \*\*q2\*\* .*\n\|.*no /,
    )
    expect(await table(labelled, '--labels', 'off')).toMatch(/\*\*q1\*\* /)
    expect(await table(plain, '--labels', codes)).toBe(await table(labelled))
    expect((await polyad(['show', labelled])).stdout).toContain('q1: Trust in police')
    expect((await polyad(['show', labelled, '--labels', 'off'])).stdout).not.toContain('police')
    const [chart, report] = [scratch.path('chart.svg'), scratch.path('report.html')]
    await polyad(['plot', labelled, '-o', chart])
    expect(readFileSync(chart, 'utf8')).toContain('q1: Trust in police')
    await polyad(['report', labelled, data, '-o', report])
    const page = readFileSync(report, 'utf8')
    expect(page).toContain('Variables and their labels')
    expect(page).toContain('How much?')
    expect(page).toContain('q1 = low')
  })

  it('is an error if it is something else', async () => {
    expect((await fit('--labels', data)).stderr).toContain(
      'is not a codebook: it needs the columns variable, value and label',
    )
    expect((await fit('--labels', scratch.path('none.csv'))).stderr).toContain('error: there is no file ')
  })
})

it('variable labels of SPSS files are shown, and those of workbooks read back', async () => {
  const asked = ['-k', '1', '-m', 'trust,party']
  const shown = await polyad(['fit', survey('pspp-bytes.sav'), ...asked])
  const [title] = /trust: [^ ].*?(?= {2})/.exec(shown.stdout) ?? []
  expect(title).toBeDefined()
  const [book, coded] = [scratch.path('book.xlsx'), scratch.path('coded.dta')]
  await polyad(['convert', data, coded, '--labels', codes, '--count', 'none'])
  expect((await polyad(['fit', coded, '-k', '1', '-m', 'q1,q2', '--count', 'n'])).stdout).toMatch(
    /q1: Trust in police +low/,
  )
  expect((await polyad(['convert', survey('pspp-bytes.sav'), book])).stderr).not.toContain('error')
  expect((await polyad(['fit', book, ...asked])).stdout).toContain(title)
})
