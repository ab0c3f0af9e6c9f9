import { readFileSync } from 'node:fs'
import { type Model, updateModel } from '@polyad/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { polyad } from '../../../../test/run-polyad.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { loadModel, saveModel } from '../output/model-store.ts'
import { readTensor } from '../source/read-tensor.ts'
import { updateTable } from './update-table.ts'

const files = testFolder()

/** Rows of a city, an item, a number to be cut and a count, from a generator of whole numbers. */
const day = (seed: number, cities: string, items: string, from: number, size = 160): string => {
  let state = seed
  const next = (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
  const rows = Array.from({ length: size }, () => {
    const kind = next(2)
    const pick = (labels: string) => labels[(kind + next(Math.ceil(labels.length * 0.7))) % labels.length]
    return [next(8) === 0 ? '' : pick(cities), pick(items), from + 10 * kind + next(12), 1 + next(3)].join(',')
  })
  return `city,item,amount,n\n${rows.join('\n')}\n`
}

let [yesterday, today] = ['', '']
const model = () => files.path('model.npz')
beforeAll(async () => {
  yesterday = files.file('yesterday.csv', day(5, 'abcd', 'xyz', 0))
  today = files.file('today.csv', day(9, 'bcde', 'xyzw', 8))
  const fitted = await polyad(['fit', yesterday, '-k', '2', '--bin', 'amount:5', '--count', 'n', '-o', model(), '-q'])
  expect(fitted.code, fitted.stderr).toBe(0)
})

const expectSame = (a: Model, b: Model) => {
  a.modes.forEach(({ name, labels = [] }, n) => {
    const other = b.modes.find(mode => mode.name === name)
    for (const [j, label] of labels.entries())
      a.shares.forEach((_, k) => {
        expect(a.profile(n, k)[j], `${name} ${label}`).toBeCloseTo(b.profile(name, k)[other?.indexOf(label) ?? -1], 10)
      })
  })
  a.shares.forEach((share, k) => void expect(share).toBeCloseTo(b.shares[k], 10))
}

describe('updateTable', () => {
  it('reads new rows as those of the model were, and adds what is new in them', async () => {
    const notes: string[] = []
    const found = await updateTable(model(), today, { decay: 0.9, onNote: ({ text }) => void notes.push(text) })
    expect(found.changes.map(({ mode, onlyB }) => [mode, onlyB])).toEqual([
      ['city', ['e']],
      ['item', ['w']],
      ['amount', ['[25,30)']],
    ])
    expect(notes).toEqual([])
    // The same by another way: today's table read by itself, and the model's own record.
    const { tensor } = await readTensor(today, { bins: ['amount:5'], count: 'n' })
    const { model: before, run } = loadModel(model())
    const { answered } = run.result as { answered: number[][] }
    expect(answered).toHaveLength(3)
    const direct = await updateModel(before, tensor, { decay: 0.9, answered, threads: 1, dropBelow: { amount: 0 } })
    expectSame(found.model, direct.model)
    expect(found.model.total).toBeCloseTo(0.9 * before.total + tensor.total, 8)
    // Bins follow each other without a gap, and in their order.
    expect(found.model.modes[2].labels).toEqual(['[0,5)', '[5,10)', '[10,15)', '[15,20)', '[20,25)', '[25,30)'])
  })

  it('is kept with its history, and the total is decay × the old + the new, again and again', async () => {
    const path = files.path('chain.npz')
    let { total } = loadModel(model()).model
    let from = model()
    for (const seed of [11, 12, 13]) {
      const file = files.file(`day-${seed}.csv`, day(seed, 'bcde', 'xyzw', 8, 40))
      const { model: next, run, added } = await updateTable(from, file, { decay: 0.5, passes: 2 })
      await saveModel(path, next, run)
      total = 0.5 * total + added
      from = path
    }
    const stored = loadModel(path)
    expect(stored.model.total).toBeCloseTo(total, 8)
    expect(stored).toMatchObject({ count: 'n', run: { missing: ['city'], updates: [{ decay: 0.5 }, {}, {}] } })
    expect(stored.recipe.modes[2].binning).toEqual({ kind: 'width', width: 5 })
  })

  it('takes numbers among numbers, and no text', async () => {
    const numbers = files.file('numbers.csv', `q,r\n${'1,a\n2,b\n4,b\n'.repeat(30)}`)
    const odd = files.file('odd.csv', 'q,r\n1.0,a\n3,b\nmany,a\n')
    const own = files.path('numbers.npz')
    expect((await polyad(['fit', numbers, '-k', '1', '-o', own, '-q'])).code).toBe(0)
    const notes: string[] = []
    const found = await updateTable(own, odd, { onNote: ({ text }) => void notes.push(text) })
    expect(found.model.modes[0].labels).toEqual([1, 2, 3, 4])
    expect(found.unseen).toEqual({ q: 1 })
    expect(notes).toEqual(['q: 1 observation with a value of the wrong kind, treated as missing'])
    expect(found.answered[0]).toEqual([92])
  })

  it('warns of missing answers that the file does not count, and refuses models whose sums it cannot know', async () => {
    const { model: own, run } = loadModel(model())
    const bare = files.path('bare.npz')
    await saveModel(bare, own, { ...run, result: {} })
    const notes: string[] = []
    await updateTable(bare, today, { onNote: ({ text }) => void notes.push(text) })
    expect(notes).toEqual([
      'the model does not record how many of its observations answered city: all are assumed to have answered',
    ])
    await saveModel(bare, own, { ...run, options: { covariates: ['age'] } })
    await expect(updateTable(bare, today)).rejects.toThrow('a model with covariates cannot be updated')
    await saveModel(bare, own, { ...run, command: 'train' })
    await expect(updateTable(bare, today)).rejects.toThrow('train it again on all rows')
  })
})

describe('an update of a model with covariates', () => {
  it('keeps the logit, says so, and can be repeated', async () => {
    const own = files.path('membership.npz')
    const fitted = await polyad([
      'fit',
      yesterday,
      '-k',
      '2',
      '--modes',
      'city,item',
      '--covariates',
      'amount',
      '-o',
      own,
    ])
    expect(fitted.code, fitted.stderr).toBe(0)
    const before = loadModel(own)
    expect((before.run.result as { answered?: unknown }).answered).toBeDefined()
    const notes: string[] = []
    const { model: after, run, added } = await updateTable(own, today, { onNote: ({ text }) => void notes.push(text) })
    expect(notes).toContain(
      'the coefficients of class membership are kept: only class sizes and probabilities are updated',
    )
    expect(after.structure).toEqual(before.model.structure)
    expect(after.total).toBeCloseTo(before.model.total + added, 8)
    expect(after.profile('city', 0)).not.toEqual(before.model.profile('city', 0))
    // By the library, from rows in the form of the model.
    const { tensor } = await readTensor(today, { modes: ['city', 'item', 'amount'], count: 'n' })
    const answered = (before.run.result as { answered: number[][] }).answered
    await expect(updateModel(before.model, tensor, { answered })).rejects.toThrow('use placeData(rows, model)')
    const again = files.path('again.npz')
    await saveModel(again, after, run)
    const { stderr, code } = await polyad(['update', again, today, '-o', again])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('the coefficients of class membership are kept')
    expect((await polyad(['classify', again, today, '-o', files.path('rows.csv')])).code).toBe(0)
  })

  it('is possible with known groups', async () => {
    const own = files.path('grouped.npz')
    const fitted = await polyad([
      'fit',
      yesterday,
      '-k',
      '2',
      '--modes',
      'city,amount',
      '--bin',
      'amount:q3',
      '--groups',
      'item',
      '-o',
      own,
    ])
    expect(fitted.code, fitted.stderr).toBe(0)
    const { model: after } = await updateTable(own, yesterday)
    expect(after.total).toBeCloseTo(2 * loadModel(own).model.total, 8)
  })
})

describe('polyad update', () => {
  it('says what has changed, writes over its own model, and is told of by show and report', async () => {
    const own = files.path('own.npz')
    const { model: before, run } = loadModel(model())
    await saveModel(own, before, run)
    const { code, stdout, stderr } = await polyad(['update', own, today, '--decay', '0.9', '-o', own])
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('city: 1 new category (e), 1 category not in the new data (a)')
    expect(stdout).toContain('with a decay of 0.9')
    expect(loadModel(own).run).toMatchObject({ command: 'update', updates: [{ decay: 0.9, newLabels: 3 }] })
    const shown = await polyad(['show', own])
    expect(shown.stdout).toMatch(/updated +1 time, last with 323 observations \(decay 0\.9\)/)
    const page = files.path('page.html')
    await polyad(['report', own, '-o', page])
    expect(readFileSync(page, 'utf8')).toContain('The model was updated once with new data')
    const json = JSON.parse((await polyad(['update', own, today, '--drop-below', '0', '--json'])).stdout)
    expect(json).toMatchObject({ model: own, decay: 1, passes: 10, dropped: [], mixed: false })
    expect(json.total).toBeCloseTo(loadModel(own).model.total + json.added, 6)
    const refused = await polyad(['update', own, 'duckdb:///nowhere.duckdb/t'])
    expect(refused.stderr).toContain('this command needs files')
    expect((await polyad(['update', own, today, '--decay', '2'])).stderr).toContain('a number above 0 and up to 1')
  })
})
