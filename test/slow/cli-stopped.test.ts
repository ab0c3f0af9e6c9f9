import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { loadModel } from '../../packages/polyad/src/output/model-store.ts'
import { objectOf, polyadProcess, scratchFolder, signalWhen } from '../run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const iris = fileURLToPath(new URL('../../packages/polyad/data/iris.csv', import.meta.url))
const busyAfter = (answers: number) => ({
  NODE_OPTIONS: `--import=${new URL('../busy-once-answered.mjs', import.meta.url).href}`,
  BUSY_AFTER: `${answers}`,
})
const model = scratch.path('model.npz')
const fitting = ['fit', iris, '-k', '2', '--starts', '2', '--se', '--residuals', '-o', model]

describe('a fit that is ended in the statistics, while it computes', () => {
  it('answers with the figures that there are, and lists the others', async () => {
    const { code, stdout, stderr } = await polyadProcess([...fitting, '--json'], {
      env: busyAfter(2),
      when: [signalWhen('busy', 'SIGTERM')],
    })
    expect(code, stderr).toBe(143)
    const found = objectOf({ code: 0, stdout, stderr }, 'fit')
    expect(found).toMatchObject({ rank: 2, stopped: true, notComputed: ['standardErrors', 'residuals'], output: model })
    expect(found.chiSquared).toBeGreaterThan(0)
    expect(found.criteria.bic).toBeGreaterThan(0)
    expect(found.profiles).toHaveLength(found.modes.length)
    expect(found.standardErrors).toBeUndefined()
    expect(stderr).toContain('stopped early: the model is complete; not computed: standard errors, residuals')
    expect(loadModel(model).model.rank).toBe(2)
  })

  it('says so to a person too', async () => {
    const { code, stdout, stderr } = await polyadProcess([...fitting, '--report', scratch.path('report.html')], {
      env: busyAfter(1),
      when: [signalWhen('busy')],
    })
    expect(code, stderr).toBe(130)
    expect(stdout).toContain('class 1')
    expect(stderr).toContain(
      'not computed: X², Cressie–Read, certainty of the classes, standard errors, residuals, report',
    )
    expect(existsSync(scratch.path('report.html'))).toBe(false)
  })
})

describe('a comparison of numbers of classes that is ended while its model is described', () => {
  it('answers with the comparison, and the model is saved', async () => {
    const kept = scratch.path('recommended.npz')
    const { code, stdout, stderr } = await polyadProcess(
      ['rank', iris, '-k', '1..3', '--starts', '2', '--folds', '0', '--covariates', 'species', '-o', kept, '--json'],
      { env: busyAfter(2), when: [signalWhen('busy', 'SIGTERM')] },
    )
    expect(code, stderr).toBe(143)
    const found = objectOf({ code: 0, stdout, stderr }, 'rank')
    expect(found).toMatchObject({ stopped: true, output: kept })
    expect(found.fits.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3])
    expect(found.covariates).toBeUndefined()
    expect(stderr).toContain('the recommended model was not described')
    expect(loadModel(kept).model.rank).toBe(found.recommended)
  })
})
