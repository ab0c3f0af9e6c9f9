import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { profilesData } from '@polyad/charts'
import { modelFromNpz } from '@polyad/core/file'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** Continuous variables that may be correlated within a class, from the command line. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const iris = fileURLToPath(new URL('../packages/polyad/data/iris.csv', import.meta.url))
const model = scratch.path('model.npz')
const columns = ['sepal_length', 'petal_length']
const fitting = ['fit', iris, '-k', '2', '-m', columns.join(), '--continuous', columns.join(), '--join', columns.join()]

const run = async (...args: string[]) => {
  const ended = await polyad(args)
  expect(ended.code, ended.stderr).toBe(0)
  return ended
}

beforeAll(async () => {
  await run(...fitting, '-o', model, '-q')
})

describe('joined continuous variables', () => {
  it('have means, standard deviations and correlations in --json and on a terminal', async () => {
    const found = objectOf(await polyad([...fitting, '--variances', 'equal', '--starts', '8', '--json']), 'fit')
    const [item] = found.items
    expect(item).toMatchObject({
      name: 'sepal_length / petal_length',
      kind: 'multivariate-normal',
      variables: columns.map(name => ({ name, step: 0.1 })),
      variances: 'equal',
    })
    expect(item.parameters).toHaveLength(7)
    expect(item.parameters.at(-1)).toMatchObject({ name: 'correlation', of: columns, class: null })
    // R, mclust 6.0.0, EEE with two classes.
    expect(found.logDensity).toBeCloseTo(-309.04924275, 4)
    expect([found.parameters, found.join.models[1].parameters]).toEqual([8, 8])
    const { stdout } = await run('show', model)
    expect(stdout).toMatch(/petal_length +mean +4\.906 +1\.462/)
    expect(stdout).toMatch(/correlation +sepal_length, petal_length +0\.8298 +0\.2725/)
    expect(stdout).toContain('petal_length = 3 … 6.9')
    const errors = await run(...fitting, '--starts', '4', '--se', '--residuals')
    expect(errors.stdout).toContain('there is no table of counts for variables')
    expect(errors.stdout).not.toContain('combinations that deviate most')
  })

  it('are shown one by one in tables, charts, reports and drift', async () => {
    const { stdout } = await run('table', model, '--format', 'md')
    expect(stdout).toMatch(/\*\*petal\\_length\*\*[^M]+M +\| +4\.91 +\| +1\.46/)
    expect(stdout).toMatch(/Correlations[^0-9]+0\.83 +\| +0\.27/)
    const known = modelFromNpz(readFileSync(model)).model
    const { modes } = profilesData(known)
    expect(modes.map(({ name, number }) => [name, number?.classes[1].mean])).toEqual([
      ['sepal_length', expect.closeTo(5.006, 3)],
      ['petal_length', expect.closeTo(1.4619, 3)],
    ])
    const report = scratch.path('report.html')
    await run('report', model, iris, '-o', report)
    const text = readFileSync(report, 'utf8')
    expect(text).toContain('2 continuous variables')
    expect(text).toContain(
      'multivariate normally distributed, with standard deviations and correlations for each class',
    )
    const other = scratch.path('other.npz')
    await run(...fitting, '--starts', '4', '--where', 'petal_length > 1.4', '-o', other, '-q')
    expect((await run('drift', model, other)).stdout).toMatch(/mean of petal/)
  })

  it('classify new numbers, and rows that lack some, in files and in DuckDB', async () => {
    const input = scratch.path('new.csv')
    writeFileSync(input, 'sepal_length,petal_length\n5.04,1.43\n6.1,\n,1.40\n6,4.5\nx,4\n,\n')
    const known = modelFromNpz(readFileSync(model)).model
    const rows = [{ sepal_length: 5.04, petal_length: 1.43 }, { sepal_length: 6.1 }, { petal_length: 1.4 }]
    const wanted = [...rows, { sepal_length: 6, petal_length: 4.5 }].map(row => known.posterior(row))
    for (const from of [[input], ['--sql', `SELECT * FROM '${input}'`]]) {
      const output = scratch.path('classified.csv')
      const { unseen } = objectOf(await polyad(['classify', model, ...from, '-o', output, '--json']), 'classify')
      expect(unseen).toEqual({ 'sepal_length / petal_length': 1 })
      const found = readFileSync(output, 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map(line => line.split(',').slice(2).map(Number))
      wanted.forEach(({ class: best, probability, logLikelihood }, i) => {
        expect(found[i]).toEqual([best + 1, expect.closeTo(probability, 10), expect.closeTo(logLikelihood, 10)])
      })
      expect(found.slice(4).map(([, , logLikelihood]) => logLikelihood)).toEqual([0, 0])
    }
  })

  it('are not joined with categories', async () => {
    const ended = await polyad([
      'fit',
      iris,
      '-k',
      '2',
      '--continuous',
      'petal_length',
      '--join',
      'petal_length,species',
    ])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(
      'error: --join has "petal_length", which is continuous, and "species", which is categorical: join variables of one kind',
    )
  })
})
