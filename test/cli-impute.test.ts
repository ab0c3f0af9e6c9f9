import { readFileSync, writeFileSync } from 'node:fs'
import { imputeRows, Mode, Model, scoreImputation } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fittedItem } from '../packages/core/src/model/items/fitted-item.ts'
import { saveModel } from '../packages/polyad/src/output/model-store.ts'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const [path, data] = [scratch.path('model.npz'), scratch.path('survey.csv')]

const model = new Model(
  ['q1', 'q2', 'q3'].map(name => new Mode(name, ['no', 'yes'])),
  {
    rank: 2,
    sizes: Float64Array.of(60, 40),
    factors: [0, 1, 2].map(n => Float64Array.of(0.1 + n / 20, 0.8, 0.9 - n / 20, 0.2)),
  },
)
const rows = model
  .sample(400, { seed: 3 })
  .rows.map((row, i) => row.map((label, n) => ((i + 3 * n) % 7 === 0 ? null : label)))

beforeAll(async () => {
  await saveModel(path, model, {})
  writeFileSync(data, `id,q1,q2,q3\n${rows.map((row, i) => [`p${i}`, ...row].join(',')).join('\n')}\n`)
})

describe('polyad impute --draws', () => {
  it('writes the draws one below the other, the same as the library gives', async () => {
    const output = scratch.path('draws.csv')
    const args = ['impute', path, data, '--draws', '3', '--seed', '5', '-o', output, '--json']
    expect(objectOf(await polyad(args), 'impute')).toMatchObject({ draws: 3, seed: 5, rows: 400, output })
    const [head, ...lines] = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(head).toBe('.imp,.id,id,q1,q2,q3,.imputed')
    const { draws, imputed } = imputeRows(model, rows, { draws: 3, seed: 5 })
    const expected = draws.flatMap((own, d) =>
      own.map((row, i) => [d + 1, i + 1, `p${i}`, ...row, imputed[i].join(';')].join(',')),
    )
    expect(lines).toEqual(expected)
  })

  it('needs somewhere to write to, and nothing that contradicts it', async () => {
    const said = async (...args: string[]) => (await polyad(['impute', path, data, ...args])).stderr
    expect(await said('--draws', '2')).toContain('--draws needs -o')
    expect(await said('--draws', '2', '--distribution', '-o', '-')).toContain('cannot be combined with --distribution')
    expect(await said('--seed', '2')).toContain('--seed needs --draws or --score')
  })
})

describe('polyad impute of numbers', () => {
  it('fills in means or draws on the grid, from memory and from DuckDB alike', async () => {
    const [lengths, flowers] = [scratch.path('lengths.npz'), scratch.path('flowers.csv')]
    const items = [
      fittedItem({ kind: 'normal', step: 0.1, variances: 'free' }, Float64Array.of(1.5, 5, 0.2, 0.6)),
      fittedItem({ kind: 'count', distribution: 'poisson' }, Float64Array.of(1, 6)),
      undefined,
    ]
    const labels = [
      [1.4, 5.1],
      [0, 6],
      ['no', 'yes'],
    ]
    const factors = labels.map((own, n) => {
      const table = Float64Array.of(0.9, 0.2, 0.1, 0.8)
      const item = items[n]
      if (item !== undefined) item.over(own, 2).table(item.theta, table)
      return table
    })
    const modes = ['length', 'leaves', 'bloom'].map((name, n) => new Mode(name, labels[n]))
    const sizes = Float64Array.of(60, 40)
    await saveModel(lengths, new Model(modes, { rank: 2, sizes, factors }, undefined, undefined, items), {})
    writeFileSync(flowers, 'length,leaves,bloom\n,6,yes\n1.42,,no\n5,,\n,,\n')
    const [filled, drawn] = [scratch.path('filled.csv'), scratch.path('drawn.csv')]
    const made = async (output: string, ...more: string[]) => {
      const { stderr } = await polyad(['impute', lengths, flowers, ...more, '-o', output])
      expect(stderr).not.toContain('error:')
      return readFileSync(output, 'utf8')
    }
    const small = [await made(filled), await made(drawn, '--draws', '3')]
    expect(small[0]).toBe('length,leaves,bloom\n5,6,yes\n1.42,1,no\n5,6,yes\n2.9,3,no\n')
    const rows = small[1].trim().split('\n').slice(1)
    expect(rows).toHaveLength(12)
    for (const row of rows) expect(row).toMatch(/^[123],[1-4],\d(\.\d\d?)?,\d+,(no|yes),/)
    const database = ['--sql', `SELECT * FROM read_csv('${flowers}', all_varchar = true)`]
    const large = async (...more: string[]) => {
      const { stdout, stderr } = await polyad(['impute', lengths, ...database, ...more, '-o', '-'])
      expect(stderr).not.toContain('error:')
      return stdout
    }
    expect([await large(), await large('--draws', '3')]).toEqual(small)
    const listed = await polyad(['impute', lengths, flowers, '--distribution', '-o', '-'])
    expect(listed.stderr).toContain('length is a number: use --draws')
  })
})

describe('polyad impute --score', () => {
  it('hides values and says how well they are told, as the library does', async () => {
    const object = objectOf(await polyad(['impute', path, data, '--score', '0.3', '--seed', '2', '--json']), 'impute')
    expect(object.score).toEqual(scoreImputation(model, rows, { part: 0.3, seed: 2 }))
    const { stdout } = await polyad(['impute', path, data, '--score'])
    expect(stdout).toMatch(/\d+ values hidden/)
    expect(stdout).toMatch(/all +\d+ +−0\.\d{4} +−0\.\d{4} +\d\d\.\d% +\d\d\.\d%/)
    expect((await polyad(['impute', path, data, '--score', '1'])).stderr).toContain('between 0 and 1')
  })

  it('counts as the data of the model was counted, or as it is told', async () => {
    const [own, table] = [scratch.path('counted.npz'), scratch.path('counted.csv')]
    await saveModel(own, model, { source: { count: 'n' } })
    const some = rows.slice(0, 40)
    writeFileSync(table, `q1,q2,q3,n\n${some.map((row, i) => [...row, i % 3].join(',')).join('\n')}\n`)
    const score = async (...options: string[]) => {
      const ended = await polyad(['impute', own, table, '--score', '0.3', '--json', ...options])
      return { ...objectOf(ended, 'impute').score, said: ended.stderr }
    }
    const repeated = some.flatMap((row, i) => Array(i % 3).fill(row))
    const counted = await score()
    expect(counted).toMatchObject(scoreImputation(model, repeated, { part: 0.3 }))
    expect(counted.said).toContain('counting by column n')
    expect(await score('--count', 'none')).toMatchObject(scoreImputation(model, some, { part: 0.3 }))
    const needless = await polyad(['impute', own, table, '--count', 'n'])
    expect(needless.stderr).toContain('--count needs --score')
  })
})
