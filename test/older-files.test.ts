import { cpSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { modelFileFromJson, modelFromNpz } from '@polyad/core/file'
import { describe, expect, it } from 'vitest'
import { openProjectFile } from '../packages/studio/src/state/project/open-project.ts'
import { csvOf, polyad } from './run-polyad.ts'
import { carcinoma } from './tables.ts'
import { testFolder } from './test-folder.ts'

/**
 * Files that earlier versions wrote. Those of 0.1.0 are of the carcinoma table: `fit -k 3 -o`, `convert`, `classify -o`, and a project of the studio with one to
 * three classes. Later versions read them, and find in them what was found then. They are never written again.
 */

const written = (version: string) => (name: string) =>
  fileURLToPath(new URL(`./data/${version}/${name}`, import.meta.url))
const older = written('0.1.0')
const { path, file } = testFolder()

/** As published, with six decimals. */
const LOG_LIKELIHOOD = -293.704979
const SHARES = [0.444728, 0.373565, 0.181708]

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await polyad([...args, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as { logLikelihood: number; shares: number[]; run: { result: { logLikelihood: number } } }
}

describe('files of version 0.1.0', () => {
  const model = modelFromNpz(readFileSync(older('model.npz')))

  it('models: as .npz and .json the same to the last bit, with the published figures', async () => {
    const { model: same, run: record } = modelFileFromJson(readFileSync(older('model.json'), 'utf8'))
    expect(same.parameters).toEqual(model.model.parameters)
    expect(record).toMatchObject({ command: 'fit', result: { logLikelihood: expect.closeTo(LOG_LIKELIHOOD, 6) } })
    const { logLikelihood } = await run('classify', older('model.npz'), file('carcinoma.csv', csvOf(carcinoma)))
    expect(logLikelihood).toBeCloseTo(LOG_LIKELIHOOD, 6)
    for (const [k, share] of SHARES.entries()) expect(model.model.shares[k]).toBeCloseTo(share, 5)
  })

  it.each(['model.npz', 'model.json'])('a model classifies rows as it did then (%s)', async name => {
    const [rows, out] = [file('carcinoma.csv', csvOf(carcinoma)), path(`${name}.csv`)]
    await run('classify', older(name), rows, '-o', out)
    const values = (text: string) => text.trim().split('\n').slice(1).map(line => line.split(',').map(Number)) // biome-ignore format: one chain
    const [now, then] = [out, older('classified.csv')].map(each => values(readFileSync(each, 'utf8')))
    expect(now).toEqual(then)
    expect(now).toHaveLength(20)
  })

  it('a model is shown with how it was made', async () => {
    const { run: record } = await run('show', older('model.npz'))
    expect(record.result.logLikelihood).toBeCloseTo(LOG_LIKELIHOOD, 6)
  })

  it('cells: fitted anew, they give the same bits', async () => {
    // Opened where nothing else is, so that nothing beside it is needed.
    cpSync(older('cells.polyad'), path('cells.polyad'))
    const fitted = await run('fit', path('cells.polyad'), '-k', '3')
    expect(fitted.shares).toEqual([...model.model.shares])
    expect(fitted.logLikelihood).toBeCloseTo(LOG_LIKELIHOOD, 6)
  })

  it('a project of the studio: its data, its fits and their models', () => {
    const project = openProjectFile(readFileSync(older('carcinoma.polyad-project')))
    expect(project.file).toMatchObject({ from: 'bytes', name: 'carcinoma.csv' })
    const fits = project.fits?.fits ?? []
    expect(fits.map(({ rank }) => rank)).toEqual([1, 2, 3])
    const published = [-524.464818, -317.256837, LOG_LIKELIHOOD]
    for (const [i, { figures }] of fits.entries()) expect(figures.logLikelihood).toBeCloseTo(published[i], 6)
    expect(modelFromNpz(fits[2].file).model.parameters).toEqual(model.model.parameters)
  })
})

describe('files of version 1.0.0', () => {
  const older = written('1.0.0')

  it('a model with covariates classifies rows as it did then, in the library too', async () => {
    const out = path('covariates.csv')
    await run('classify', older('covariates.npz'), older('survey.csv'), '--posterior', '-o', out)
    const rows = (name: string) => readFileSync(name, 'utf8').trim().split('\n').map(line => line.split(',')) // biome-ignore format: one chain
    const [now, then] = [rows(out), rows(older('classified.csv'))]
    expect(now).toEqual(then)
    expect(now).toHaveLength(121)
    const { model } = modelFromNpz(readFileSync(older('covariates.npz')))
    expect(model.structure.given.map(({ name, numeric }) => [name, numeric])).toEqual([['age', true], ['home', false]]) // biome-ignore format: one line
    const [header, ...values] = then
    const at = header.indexOf('posterior_1')
    for (const row of values) {
      const { probabilities } = model.posterior(Object.fromEntries(header.slice(0, 6).map((name, i) => [name, row[i]])))
      expect(probabilities[0]).toBeCloseTo(Number(row[at]), 12)
    }
  })
})
