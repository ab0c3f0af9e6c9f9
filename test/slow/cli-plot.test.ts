import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CHART_KINDS, CHARTS, type ChartKind, type ChartTable, DARK, LIGHT } from '../../packages/charts/src/index.ts'
import { KINDS } from '../../packages/polyad/src/cli/commands/plot.ts'
import { loadModel } from '../../packages/polyad/src/output/model-store.ts'
import { plotData } from '../../packages/polyad/src/report/page/plot-data.ts'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma } from '../tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = scratch.path
const run = (args: readonly string[]) => polyad(args, { cwd: scratch.folder })
const plot = async (args: readonly string[]) => objectOf(await run(['plot', ...args, '--json']), 'plot')

// Before the tests are collected, since some are made from the model.
writeFileSync(at('carcinoma.csv'), csvOf(carcinoma))
await run(['rank', 'carcinoma.csv', '--rank', '2..3', '--folds', '0', '-o', 'model.npz', '-q'])
const { tensor: data } = await readTensor(at('carcinoma.csv'))

// Charts of rows that belong together: the same ratings, of persons at two times and of members of groups.
const ratings = readFileSync(at('carcinoma.csv'), 'utf8').trim().split('\n').slice(1).map(line => line.split(',').slice(0, 3)) // biome-ignore format: one chain
const LINKED = { persons: ['--person', 'id', '--time', 'wave'], members: ['--within', 'id', '--group-classes', '2'] }
writeFileSync(at('linked.csv'), `id,wave,A,B,C\n${ratings.map((row, i) => `${i >> 1},${i % 2},${row}`).join('\n')}\n`)
for (const [name, links] of Object.entries(LINKED)) await run(['fit', 'linked.csv', '-k', '2', '-m', 'A,B,C', '--count', 'none', ...links, '--starts', '2', '-o', `${name}.npz`, '-q']) // biome-ignore format: one call
const SAVED: Partial<Record<ChartKind, string>> = {
  flows: 'persons.npz',
  transitions: 'persons.npz',
  mixes: 'members.npz',
}

it('every kind of chart is a kind of the command', () => {
  expect(KINDS).toEqual(CHART_KINDS)
})

describe('the data of a chart', () => {
  const { model, run } = loadModel(at('model.npz'))

  it.each(KINDS.filter(kind => kind !== 'curves'))('of %s is there for a model that was saved, and its data', kind => {
    const saved = SAVED[kind] === undefined ? { model, run, data } : loadModel(at(SAVED[kind]))
    const known = plotData(kind, { ...saved, ...(kind === 'drift' && { before: model }) })
    const { rows } = (CHARTS[kind].table as (data: unknown) => ChartTable)(known)
    expect(rows.length).toBeGreaterThan(0)
  })

  it.each([
    ['residuals', {}, 'residuals need the data: name it after the model'],
    ['curves', {}, 'curves need a model with covariates'],
    ['drift', {}, 'drift needs two models'],
    ['criteria', { run: {} }, 'criteria need a model that polyad rank -o saved'],
    ['losses', { run: {} }, 'this file does not record how it was found'],
    ['optima', { run: { result: { optima: [{ loss: 'x' }] } } }, 'this file does not record how it was found'],
    ['shares', { modes: ['A'] }, 'modes must not be given with shares'],
    ['pairs', { modes: ['A'] }, 'modes must name two'],
    ['time', { modes: ['A', 'B'] }, 'modes must name one'],
    ['profiles', { modes: ['Z'] }, 'modes must be of the model: A, B, C, D, E, F, G (got "Z")'],
    ['lines', { label: 'perhaps' }, 'label must be one of the model'],
  ] as const)('of %s is refused with %j', (kind, more, text) => {
    expect(() => plotData(kind, { model, run, ...more })).toThrow(text)
  })
})

describe('polyad plot', () => {
  it.each(['profiles', 'certainty', 'criteria'] as const)('draws %s', async kind => {
    const output = `${kind}.svg`
    const data = kind === 'certainty' ? ['carcinoma.csv'] : []
    const answer = await plot(['model.npz', ...data, '--kind', kind, '-o', output])
    const file = readFileSync(at(output), 'utf8')
    expect(answer).toMatchObject({ model: 'model.npz', kind, output, width: 960 })
    expect(file).toContain(`<title>${answer.title}</title>`)
    expect(file).toContain(LIGHT.background)
    expect((answer.table as { rows: unknown[] }).rows.length).toBeGreaterThan(0)
  })

  it('writes PNG of the size that was asked for, and not a blank one', async () => {
    const answer = await plot(['model.npz', '-o', 'profiles.png', '--width', '500', '--scale', '2'])
    const bytes = readFileSync(at('profiles.png'))
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1000, answer.height])
    // Two thousand lines of one colour take a few hundred bytes.
    expect(bytes.length).toBeGreaterThan(10_000)
  })

  it('puts a title and the source around it, at a usual size, if that is asked for', async () => {
    const args = ['model.npz', '--size', 'slide', '--title', 'Seven <raters>', '--source', 'auto', '-o', 'slide.svg']
    expect(await plot(args)).toMatchObject({ width: 1280, height: 720, title: 'Seven <raters>' })
    const file = readFileSync(at('slide.svg'), 'utf8')
    for (const part of ['>Seven &#60;raters&#62;</text>', '>carcinoma.csv · 118 observations · Polyad</text>'])
      expect(file).toContain(part)
    const column = await plot(['model.npz', '--size', 'column', '--source', 'by hand', '-o', 'column.png'])
    expect(column).toMatchObject({ width: 1063, dpi: 300 })
    const high = await plot(['model.npz', '--kind', 'shares', '--width', '600', '--height', '4in', '-o', 'high.svg'])
    expect(high).toMatchObject({ width: 600, height: 384 })
  })

  it('calls classes as it is told, dark on demand, in fewer columns where there is less room', async () => {
    const names = ['--names', '<b>clear</b>,none,"in, between"']
    const wide = await plot(['model.npz', ...names, '--dark', '-o', 'dark.svg'])
    const narrow = await plot(['model.npz', ...names, '--width', '390', '-o', 'narrow.svg'])
    const file = readFileSync(at('dark.svg'), 'utf8')
    for (const part of [DARK.background, DARK.classes[2], '&#60;b&#62;clear', 'in, between'])
      expect(file).toContain(part)
    expect(narrow.height as number).toBeGreaterThan(1.5 * (wide.height as number))
  })

  it('shows the modes and the label that are asked for, with intervals where there are standard errors', async () => {
    const some = await plot(['model.npz', '--modes', 'b,A', '-o', 'some.svg'])
    expect((some.table as { rows: string[][] }).rows.map(([mode]) => mode)).toEqual(['B', 'B', 'A', 'A'])
    const lines = await plot(['model.npz', '--kind', 'lines', '--label', '1', '-o', 'lines.svg'])
    expect(lines.title).toContain('Probability of 1 within a class')
    const args = ['model.npz', 'carcinoma.csv', '--se', 'observed', '-o', 'se.svg']
    expect((await plot(args)).table).toMatchObject({ columns: expect.arrayContaining(['class 1 low', 'class 1 high']) })
  })

  it.each([
    [['model.npz'], 'no output file was given: add -o profiles.svg'],
    [['model.npz', '-o', 'x.gif'], 'must end in .svg, .pdf, .eps, .png, .tiff (got "x.gif")'],
    [['model.npz', '--kind', 'residuals', '-o', 'x.svg'], '--kind residuals needs the data: name it after the model'],
    [['model.npz', '--se', 'observed', '-o', 'x.svg'], '--se needs the data'],
    [['model.npz', '--modes', 'Z', '-o', 'x.svg'], '--variables must be of the model'],
    [['model.npz', '--names', 'a,b', '-o', 'x.svg'], '--names must name all 3 classes'],
    [['model.npz', '--width', '10', '-o', 'x.svg'], '240 pixels or more'],
    [['model.npz', '--height', '20mm', '-o', 'x.svg'], '180 pixels or more'],
    [['model.npz', '--size', 'page', '--width', '400', '-o', 'x.svg'], '--size sets both --width and --height'],
  ])('refuses %j', async (args, text) => {
    const { code, stderr } = await run(['plot', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(text)
  })
})
