import { describe, expect, it } from 'vitest'
import { gss82 } from '../../../../test/tables.ts'
import { referenceEngine } from '../engine/reference.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { heldOutLogLikelihood } from './held-out.ts'
import { TaskRunner } from './running/task-runner.ts'
import { chooseWidth } from './width.ts'

describe('the width of smoothing', () => {
  const ordered = tensorFromColumns(gss82.indices, gss82.values, {
    modes: gss82.modes.map(({ name }, n) => ({ name, ordered: n === 3 })),
    shape: gss82.shape,
  })

  it('is the one under which data that was left out is most probable', async () => {
    const runner = await TaskRunner.of(await referenceEngine.open(ordered))
    const { width, tried } = await chooseWidth(runner, { rank: 2, seed: 2 })
    const widths = [0, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6]
    expect(tried.map(each => each.width)).toEqual(widths.slice(0, tried.length))
    expect(tried.find(each => each.width === width)?.heldOut).toBe(Math.max(...tried.map(each => each.heldOut)))
    // It ends with two falls in a row, and not before.
    const falls = tried.map(({ heldOut }, i) => i > 0 && heldOut < tried[i - 1].heldOut)
    const twice = falls.findIndex((fall, i) => fall && falls[i - 1])
    expect(tried.length).toBe(twice < 0 ? widths.length : twice + 1)
    // Five folds, six starts each, that need not come all the way.
    const trial = { rank: 2, seed: 2, smoothing: 0.75, starts: 6, tolerance: 1e-8, stationarity: 1e-4 }
    expect(tried[2].heldOut).toBe(await heldOutLogLikelihood(runner, trial, 5))
  })

  it('is none if nothing was tried', async () => {
    const session = await referenceEngine.open(ordered)
    const stopped = await chooseWidth(await TaskRunner.of(session), { rank: 2, signal: AbortSignal.abort() })
    expect(stopped).toEqual({ width: 0, tried: [] })
    const without = await chooseWidth(await TaskRunner.of({ ...session, can: [] }), { rank: 2 })
    expect(without).toEqual({ width: 0, tried: [] })
  })
})
