import { describe, expect, it } from 'vitest'
import { carcinoma, gss82 } from '../../../../../test/tables.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fit } from '../fit.ts'
import { constraintSetting } from './constraints.ts'
import { mStepOf, mStepSettings } from './m-step.ts'
import { kernel, smoothFactor } from './smoothing.ts'

describe('the Dirichlet prior', () => {
  it('keeps every probability off zero, and reports both losses', async () => {
    const plain = await fit(carcinoma, { rank: 3, starts: 10, threads: 1 })
    const smoothed = await fit(carcinoma, { rank: 3, starts: 10, pseudoCounts: 1, threads: 1 })
    expect(plain.objective).toBe(plain.loss)
    expect(plain.model.profile('A', 0)[0]).toBeLessThan(1e-6)
    for (const mode of ['A', 'B', 'C']) {
      for (const k of [0, 1, 2]) expect(Math.min(...smoothed.model.profile(mode, k))).toBeGreaterThan(0.005)
    }
    expect(smoothed.loss).toBeGreaterThan(plain.loss)
    expect(smoothed.objective).toBeGreaterThan(smoothed.loss)
    expect(smoothed.converged).toBe(true)
  })

  it('of rank one is the counts with the pseudo-counts added', async () => {
    const { model } = await fit(gss82, { rank: 1, pseudoCounts: { PURPOSE: 10 }, starts: 1, threads: 1 })
    const [a, b, c] = model.profile('PURPOSE', 0)
    expect(a).toBeCloseTo((919 + 10) / (1202 + 30), 8)
    expect(a + b + c).toBeCloseTo(1, 12)
    expect(model.profile('ACCURACY', 0)[0]).toBeCloseTo(620 / 1202, 2)
  })

  it('refuses modes it does not have and negative counts', async () => {
    await expect(fit(gss82, { rank: 2, pseudoCounts: -1 })).rejects.toThrow(
      /pseudoCounts must be a number ≥ 0 \(got -1\)/,
    )
    await expect(fit(gss82, { rank: 2, pseudoCounts: { PORPOISE: 1 } })).rejects.toThrow(
      /names no mode of the data: "PORPOISE"/,
    )
    await expect(fit(gss82, { rank: 2, smoothing: 1 })).rejects.toThrow(
      /smoothing needs a mode whose labels are ordered/,
    )
    await expect(fit(gss82, { rank: 2, smoothing: { PURPOSE: 1 } })).rejects.toThrow(/"PURPOSE" have no order/)
  })
})

describe('what is wanted of modes', () => {
  const modes = [new Mode('A', ['no', 'yes']), new Mode('B', [1, 2, 3], true), new Mode('C', ['only'], true)]
  const constraints = constraintSetting(modes, 2, { fixed: [{ mode: 'A', label: 'no', probability: 0.25, class: 1 }] })

  it('is smoothing where there is something to smooth, and counts everywhere', () => {
    expect(mStepSettings(modes, { smoothing: 2, pseudoCounts: 0.5 })).toEqual([
      { added: 0.5, width: 0 },
      { added: 0.5, width: 2 },
      { added: 0.5, width: 0 },
    ])
    expect(mStepSettings(modes, { pseudoCounts: { B: 3 } }).map(({ added }) => added)).toEqual([0, 3, 0])
    expect(mStepSettings(modes, { smoothing: { B: 1.5 } }).map(({ width }) => width)).toEqual([0, 1.5, 0])
  })

  it('cannot be smoothing with constraints, nor counts with what is fixed', () => {
    const [first, second, third] = mStepSettings(modes, {}, constraints)
    expect(first.fixed?.map(({ label, value }) => [label, value])).toEqual([
      [0, 0.25],
      [1, 0.75],
    ])
    expect([second, third]).toEqual([
      { added: 0, width: 0 },
      { added: 0, width: 0 },
    ])
    expect(mStepSettings(modes, { pseudoCounts: { B: 0.5 } }, constraints)[1]).toEqual({ added: 0.5, width: 0 })
    expect(() => mStepSettings(modes, { pseudoCounts: 0.5 }, constraints)).toThrow(
      'pseudoCounts cannot be combined with the fixed probabilities of mode "A"',
    )
    expect(() => mStepSettings(modes, { smoothing: 1 }, constraints)).toThrow(
      'smoothing cannot be combined with constraints',
    )
  })

  it('is refused where it is no number, or of no mode', () => {
    expect(() => mStepSettings(modes, { pseudoCounts: 'many' as never })).toThrow(
      'pseudoCounts must be a number ≥ 0, or numbers by mode (got "many")',
    )
    expect(() => mStepSettings(modes, { pseudoCounts: null as never })).toThrow(
      'pseudoCounts must be a number ≥ 0, or numbers by mode (got null)',
    )
    expect(() => mStepSettings(modes, { pseudoCounts: { A: -1 } })).toThrow(
      'pseudoCounts["A"] must be a number ≥ 0 (got -1)',
    )
    expect(() => mStepSettings(modes, { smoothing: { A: 1 } })).toThrow(
      'smoothing is for ordered modes, and the labels of mode "A" have no order',
    )
    expect(mStepSettings(modes, { smoothing: { A: 0 } })[0].width).toBe(0)
    expect(() => mStepSettings(modes.slice(0, 1), { smoothing: 1 })).toThrow(
      'smoothing needs a mode whose labels are ordered; none is',
    )
    expect(mStepSettings(modes.slice(0, 1), { smoothing: 0 })[0].width).toBe(0)
  })

  it('says whether it is an objective that never rises, and whether it is nothing', () => {
    const kinds = [
      { added: 0, width: 0 },
      { added: 0.5, width: 0 },
      { added: 0, width: 1 },
    ].map(mStepOf)
    expect(kinds.map(({ descends, plain, finish }) => [descends, plain, finish !== undefined])).toEqual([
      [true, true, false],
      [true, false, false],
      [false, false, true],
    ])
    const factor = Float64Array.of(0.5, 0.25)
    expect([kinds[0].penalty(factor), kinds[1].penalty(factor)]).toEqual([0, expect.closeTo(0.5 * Math.log(8), 14)])
  })
})

describe('smoothing over ordered labels', () => {
  it('keeps the sum of every column, hands nothing over the ends, and spreads a peak evenly', () => {
    const factor = new Float64Array(2 * 9)
    factor[4 * 2] = 1
    factor[0 * 2 + 1] = 1
    smoothFactor(factor, 2, kernel(1, 9))
    const column = (k: number) => Array.from({ length: 9 }, (_, j) => factor[j * 2 + k])
    for (const k of [0, 1]) expect(column(k).reduce((a, b) => a + b)).toBeCloseTo(1, 14)
    expect(column(0)[3]).toBe(column(0)[5])
    expect(column(0)[4]).toBeGreaterThan(column(0)[3])
    expect(column(1)[0]).toBeGreaterThan(column(1)[1])
  })

  it('of any width reaches no further than the mode', async () => {
    expect(kernel(1e9, 30).length).toBe(30)
    const modes = ['a', 'b'].map(name => ({ name, labels: [0, 1, 2] }))
    const tensor = tensorFromColumns(
      [
        [0, 1, 2, 1],
        [2, 1, 0, 0],
      ],
      [5, 3, 2, 7],
      { modes },
    )
    const { model } = await fit(tensor, { rank: 2, smoothing: 1e9, starts: 1, threads: 1 })
    for (const p of model.profile('a', 0)) expect(p).toBeCloseTo(1 / 3, 3)
  })

  it('returns what it has when it is stopped while the width is being chosen', async () => {
    const modes = ['a', 'b'].map(name => ({ name, labels: Array.from({ length: 30 }, (_, j) => j) }))
    const columns = [0, 1].map(n => Array.from({ length: 2000 }, (_, i) => (i * (7 + n) + (i % 13)) % 30))
    const tensor = tensorFromColumns(columns, undefined, { shape: [30, 30], modes })
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const result = await fit(tensor, { rank: 4, smoothing: 'auto', signal: controller.signal, onProgress, threads: 1 })
    expect(Number.isFinite(result.loss)).toBe(true)
  })

  it('chooses a width by what was left out: some for smooth data, none where labels have nothing in common', async () => {
    // Two bells over 40 labels in three modes, few samples; and the same sample with its labels shuffled.
    const bell = (centre: number, i: number) =>
      Math.min(39, Math.max(0, Math.round(centre + 4 * Math.sin(i * 12.9898) + 3 * Math.cos(i * 78.233))))
    const columns = [0, 1, 2].map(n => Array.from({ length: 240 }, (_, i) => bell(i % 2 === 0 ? 10 : 28, i * 3 + n)))
    const modes = ['a', 'b', 'c'].map(name => ({
      name,
      labels: Array.from({ length: 40 }, (_, j) => j),
      ordered: true,
    }))
    const smooth = tensorFromColumns(columns, undefined, { shape: [40, 40, 40], modes })
    const found = await fit(smooth, { rank: 2, smoothing: 'auto', starts: 4, threads: 1 })
    expect(found.smoothing?.width).toBeGreaterThan(0)
    expect(found.smoothing?.tried.length).toBeGreaterThan(2)
    const codes = tensorFromRows(
      Array.from({ length: 600 }, (_, i) => [i % 2 === 0 ? 1 + 2 * (i % 4) : 2, i % 2 === 0 ? 1 : 4]),
      { modes: ['x', 'y'] },
    )
    const sharp = await fit(codes, { rank: 2, smoothing: 'auto', starts: 4, threads: 1 })
    expect(sharp.smoothing?.width).toBe(0)
  })
})
