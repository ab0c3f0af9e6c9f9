import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../../../test/arbitrary.ts'
import { DataError } from '../errors.ts'
import { Model } from '../model/model.ts'
import { Mode } from '../tensor/mode.ts'
import { modelToJson } from './model-json.ts'
import { modelFileFromJson, modelFromNpz, modelToNpz } from './model-npz.ts'
import { readNpy, writeNpy } from './npy.ts'
import { readZip, writeZip } from './zip.ts'

const model = new Model(
  [new Mode('vote', ['yes', 'no', 'näh\u0000']), new Mode('age', [18, 30.5], true), new Mode('place', 2)],
  {
    rank: 2,
    sizes: Float64Array.of(1 / 3, 7),
    factors: [
      Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.6, 0.4),
      Float64Array.of(1 / 7, 0, 6 / 7, 1),
      Float64Array.of(5e-324, 0.5, 1, 0.5),
    ],
  },
  ['left', 'right'],
)

/** The archive with one of its members replaced or, where there is no replacement, taken out. */
const having = (name: string, content: Uint8Array | undefined): Uint8Array => {
  const members = readZip(modelToNpz(model))
  if (content === undefined) members.delete(name)
  else members.set(name, content)
  return writeZip(members)
}

const described = (change: (json: Record<string, unknown>) => void): Uint8Array => {
  const json = descriptionOf(modelToNpz(model))
  change(json)
  return having('model.json.npy', writeNpy({ shape: [], data: [JSON.stringify(json)] }))
}

const descriptionOf = (bytes: Uint8Array): Record<string, unknown> => {
  const { shape, data } = readNpy(readZip(bytes).get('model.json.npy') as Uint8Array)
  expect(shape).toEqual([])
  return JSON.parse((data as string[])[0])
}

describe('a model as .npz', () => {
  it('comes back with every bit, its labels, names and record', () => {
    const { model: read, run } = modelFromNpz(modelToNpz(model, { seed: 3, trace: [2, 1.5] }))
    expect(modelToJson(read)).toEqual(modelToJson(model))
    expect(read.parameters.factors[2][0]).toBe(5e-324)
    expect(run).toEqual({ seed: 3, trace: [2, 1.5] })
  })

  it('comes back for any model', () => {
    const any = fc.tuple(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
    )
    fc.assert(
      fc.property(
        any.chain(([shape, rank]) => models(shape, rank, 10)),
        each => {
          expect(modelToJson(modelFromNpz(modelToNpz(each)).model)).toEqual(modelToJson(each))
          const json = JSON.stringify({ ...modelToJson(each), run: { a: 1 } })
          expect(modelToJson(modelFileFromJson(json).model)).toEqual(modelToJson(each))
          expect(modelFileFromJson(json).run).toEqual({ a: 1 })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('has arrays that can be read without it', () => {
    const members = readZip(modelToNpz(model))
    expect([...members.keys()].sort()).toEqual(
      [
        'factor_1.npy',
        'factor_2.npy',
        'factor_3.npy',
        'labels_1.npy',
        'labels_2.npy',
        'model.json.npy',
        'weights.npy',
      ].sort(),
    )
    expect(readNpy(members.get('factor_1.npy') as Uint8Array).shape).toEqual([3, 2])
    expect(readNpy(members.get('labels_2.npy') as Uint8Array).data).toEqual(Float64Array.of(18, 30.5))
  })

  it('opens with its description as a file of its own, as earlier versions wrote it', () => {
    const members = readZip(modelToNpz(model, { seed: 3 }))
    const text = JSON.stringify(descriptionOf(modelToNpz(model, { seed: 3 })))
    members.delete('model.json.npy')
    members.set('model.json', new TextEncoder().encode(text))
    const { model: read, run } = modelFromNpz(writeZip(members))
    expect(modelToJson(read)).toEqual(modelToJson(model))
    expect(run).toEqual({ seed: 3 })
  })

  it('refuses sizes that the file cannot hold before anything is allocated', () => {
    const bomb = { format: 'polyad-model', version: 1, rank: 0, modes: [{ name: 'a', size: 1e8, ordered: false }] }
    const members = new Map([
      ['model.json.npy', writeNpy({ shape: [], data: [JSON.stringify(bomb)] })],
      ['weights.npy', writeNpy({ shape: [0], data: new Float64Array(0) })],
      ['factor_1.npy', writeNpy({ shape: [1e8, 0], data: new Float64Array(0) })],
    ])
    const before = process.memoryUsage().rss
    expect(() => modelFromNpz(writeZip(members))).toThrow('rank must be a whole number ≥ 1 (got 0)')
    const wide = { ...bomb, rank: 1e6, weights: new Array(1e6).fill(1) }
    const rows = { ...wide, modes: [{ ...bomb.modes[0], size: 1e5, factor: new Array(1e5).fill([]) }] }
    expect(() => modelFileFromJson(rows)).toThrow('must have 1000000 entries (got 0)')
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
  })

  it('is the same file every time', () => {
    expect(modelToNpz(model)).toEqual(modelToNpz(model))
  })

  const factor = (shape: number[], ...data: number[]) => writeNpy({ shape, data: Float64Array.from(data) })
  it.each([
    ['a newer format', described(json => void Object.assign(json, { version: 3 })), 'newer Polyad'],
    ['another format', described(json => void Object.assign(json, { format: 'x' })), '"polyad-model"'],
    ['no description', having('model.json.npy', undefined), 'no model.json'],
    ['a description that is not JSON', having('model.json.npy', writeNpy({ shape: [], data: ['{'] })), 'not JSON'],
    ['no weights', having('weights.npy', undefined), 'no weights.npy'],
    ['a missing factor', having('factor_2.npy', undefined), 'no factor_2.npy'],
    ['a factor of the wrong shape', having('factor_2.npy', factor([4, 1], 1, 0, 0, 1)), 'must be of shape 2×2'],
    ['a factor that does not sum to 1', having('factor_2.npy', factor([2, 2], 1, 1, 1, 1)), 'sum to 1'],
    ['NaN', having('factor_2.npy', factor([2, 2], Number.NaN, 0, 0, 1)), '≥ 0'],
    ['a negative weight', having('weights.npy', factor([2], -1, 1)), '≥ 0'],
    ['infinite weights', having('weights.npy', factor([2], Number.POSITIVE_INFINITY, 1)), 'finite'],
    [
      'a mode of absurd size',
      described(json => void Object.assign((json.modes as { size: number }[])[0], { size: 1e15 })),
      'shape',
    ],
    [
      'too few labels',
      described(json => void Object.assign((json.modes as object[])[0], { labels: ['a'] })),
      '1 labels for 3',
    ],
    [
      'a label twice',
      described(json => void Object.assign((json.modes as object[])[0], { labels: ['a', 'a', 'b'] })),
      'twice',
    ],
    ['an absurd rank', described(json => void Object.assign(json, { rank: 1e9 })), 'shape'],
    [
      'a record that is not an object',
      described(json => void Object.assign(json, { run: 7 })),
      'run must be an object',
    ],
    ['a file cut short', modelToNpz(model).subarray(0, 500), 'its end is missing'],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => modelFromNpz(bytes)).toThrow(DataError)
    expect(() => modelFromNpz(bytes)).toThrow(reason)
  })
})
