import { readFileSync } from 'node:fs'
import { explainRow, fit, OptionError, tensorFromRows } from '@polyad/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { saveModel } from '../output/model-store.ts'
import { classifyTable } from './classify-table.ts'
import { imputeTable } from './filled-table.ts'

const files = testFolder()
const rows = Array.from({ length: 40 }, (_, i) => {
  const up = i % 5 < 3
  return { a: up === i % 7 > 0 ? 'x' : 'y', b: up === i % 11 > 0 ? 'u' : 'v', c: up ? '1' : '2' }
})
const { model } = await fit(tensorFromRows(rows), { rank: 2, seed: 1, threads: 1 })

/** Rows with a count, a label that is new, and answers that are missing. */
const odd = [
  { a: 'x', b: 'u', c: '1', n: 3 },
  { a: 'x', b: 'v', c: '1', n: 1 },
  { a: 'y', b: null, c: '1', n: 2 },
  { a: null, b: null, c: '2', n: 1 },
  { a: 'new', b: 'v', c: '2', n: 1 },
  { a: 'y', b: 'u', c: '2', n: 0 },
]
let data = ''
beforeAll(() => {
  data = files.file(
    'odd.csv',
    `a,b,c,n\n${odd
      .map(row =>
        Object.values(row)
          .map(each => each ?? '')
          .join(','),
      )
      .join('\n')}\n`,
  )
})

describe('classifyTable', () => {
  it('gives every row the class that the model gives it, of a model in memory or in a file', async () => {
    const output = files.path('classified.csv')
    const found = await classifyTable(model, data, { output, count: 'n', posterior: true })
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n').slice(1)
    lines.forEach((line, i) => {
      const cells = line.split(',')
      const own = model.posterior(odd[i] as never)
      expect(Number(cells[4])).toBe(own.class + 1)
      expect(Number(cells[6])).toBeCloseTo(own.logLikelihood, 10)
      expect(Number(cells[7])).toBeCloseTo(own.probabilities[0], 10)
    })
    expect(found).toMatchObject({ rows: 6, total: 8, unseen: { a: 1 }, output })
    await saveModel(files.path('model.npz'), model, {})
    const stored = await classifyTable(files.path('model.npz'), [data], { count: 'n' })
    expect(stored.classes).toEqual(found.classes)
  })

  it('numbers rows as the file has them, also if some are left out', async () => {
    const asked = { count: 'n', explain: 10, anomalies: 10, where: "c = '2' or a = 'y'" }
    const numbers = (found: readonly { readonly row: number }[]) => found.map(({ row }) => row).sort()
    const some = await classifyTable(model, data, asked)
    expect([numbers(some.surprises), numbers(some.anomalies)]).toEqual([
      [3, 4, 5],
      [3, 4, 5],
    ])
    const complete = await classifyTable(model, data, { ...asked, complete: true })
    expect([numbers(complete.surprises), numbers(complete.anomalies)]).toEqual([[5], [5]])
  })

  it('ranks rows by their surprise, as explainRow tells it of each', async () => {
    const notes: string[] = []
    const output = files.path('explained.csv')
    const { surprises } = await classifyTable(model, data, {
      count: 'n',
      explain: 10,
      output,
      onNote: ({ text }) => void notes.push(text),
    })
    // A row that was never seen is not among them.
    expect(surprises.map(({ row }) => row).sort()).toEqual([1, 2, 3, 4, 5])
    expect(surprises[0]).toMatchObject({ row: 5, count: 1, values: ['new', 'v', '2'] })
    for (const each of surprises) {
      const { class: best, ...own } = explainRow(model, odd[each.row - 1] as never)
      expect(each.class).toBe(`${best + 1}`)
      expect(each.score).toBeCloseTo(own.score, 10)
      expect(each.expected).toBeCloseTo(own.expected, 10)
      expect(each.surprise).toBeCloseTo(own.surprise, 10)
      expect(each.contributions.map(({ mode, label, unseen }) => [mode, `${label}`, unseen])).toEqual(
        own.contributions.map(({ mode, label, unseen }) => [mode, `${label}`, unseen]),
      )
    }
    expect(surprises.map(({ score }) => score)).toEqual(surprises.map(({ score }) => score).sort((a, b) => b - a))
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe('a,b,c,n,class,class_probability,log_likelihood,surprise,surprise_score,surprise_by')
    lines.slice(1).forEach((line, i) => {
      const [surprise, score, by] = line.split(',').slice(-3)
      const own = explainRow(model, odd[i] as never)
      expect([Number(surprise), Number(score)].map(x => x.toFixed(9))).toEqual([
        own.surprise.toFixed(9),
        own.score.toFixed(9),
      ])
      expect(by).toBe(own.contributions[0].mode)
    })
    expect(notes).toEqual(['counting by column n'])
  })

  it('refuses what cannot be, in the words of the library', async () => {
    await expect(classifyTable(model, data, { posterior: true })).rejects.toThrow('posterior needs output')
    await expect(classifyTable(model, data, { explain: 0 })).rejects.toThrow(OptionError)
    await expect(classifyTable(model, [])).rejects.toThrow('no data was given')
    await expect(classifyTable(model, data, { output: data })).rejects.toThrow('is read by this command')
  })
})

describe('imputeTable', () => {
  it('fills what is missing with the most probable label, and keeps what is there', async () => {
    const output = files.path('filled.csv')
    const found = await imputeTable(model, data, { output })
    expect(found).toEqual({ rows: 6, missing: { a: 1, b: 2, c: 0 } })
    const lines = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => line.split(','))
    expect(lines.map(([, , c]) => c)).toEqual(odd.map(({ c }) => c))
    expect(lines[4][0]).toBe('new')
    const { probabilities } = model.posterior({ c: '2' } as never)
    const chance = ['u', 'v'].map((_, j) => probabilities.reduce((sum, p, k) => sum + p * model.profile('b', k)[j], 0))
    expect(lines[3][1]).toBe(chance[0] > chance[1] ? 'u' : 'v')
  })

  it('draws, scores, and refuses what has no use', async () => {
    const output = files.path('draws.csv')
    const drawn = await imputeTable(model, data, { output, draws: 3, seed: 2 })
    expect(drawn).toMatchObject({ draws: 3, seed: 2 })
    expect(readFileSync(output, 'utf8').trimEnd().split('\n')).toHaveLength(1 + 3 * 6)
    const { score } = await imputeTable(model, data, { score: 0.5, count: 'n' })
    expect(score?.hidden).toBeGreaterThan(0)
    await expect(imputeTable(model, data, { draws: 2 })).rejects.toThrow('draws needs output')
    await expect(imputeTable(model, data, { count: 'n' })).rejects.toThrow('count needs score')
  })
})
