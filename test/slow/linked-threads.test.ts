import { afterEach, expect, it, vi } from 'vitest'
import { SideThreads } from '../../packages/core/src/fit/running/side-threads.ts'
import { random } from '../../packages/core/src/numeric/philox.ts'
import { panelData } from '../../packages/core/src/stats/model-data/panel-data.ts'
import { searchLinked } from '../../packages/core/src/stats/structure/linked-search.ts'
import { buildTensor } from '../../packages/core/src/tensor/build.ts'
import { Mode } from '../../packages/core/src/tensor/mode.ts'

const [PERSONS, WAVES, ITEMS, RANK] = [4000, 6, 6, 4]

/** Persons who mostly stay in their class. */
const panel = () => {
  const { uniform, below } = random(3, 'data')
  const yes = Array.from({ length: RANK }, () => Array.from({ length: ITEMS }, () => 0.05 + 0.9 * uniform()))
  const columns = Array.from({ length: 2 + ITEMS }, () => new Int32Array(PERSONS * WAVES))
  for (let person = 0, row = 0; person < PERSONS; person++) {
    let own = below(RANK)
    for (let wave = 0; wave < WAVES; wave++, row++) {
      if (uniform() < 0.2) own = below(RANK)
      columns[0][row] = person
      columns[1][row] = wave
      for (let n = 0; n < ITEMS; n++) columns[2 + n][row] = uniform() < yes[own][n] ? 1 : 0
    }
  }
  const sizes = [PERSONS, WAVES, ...new Array<number>(ITEMS).fill(2)]
  const modes = sizes.map((size, n) => new Mode(['id', 'wave'][n] ?? `q${n}`, size))
  return panelData(buildTensor(modes, columns, new Float64Array(PERSONS * WAVES).fill(1)), {
    person: 'id',
    time: 'wave',
  })
}

afterEach(() => void vi.restoreAllMocks())

it('a search of many persons over time gives the same bits on two threads as on one', {
  timeout: 300_000,
}, async () => {
  const data = panel()
  // Threads are otherwise used from a hundred times as many persons on.
  vi.spyOn(SideThreads.prototype, 'worthIt').mockReturnValue(true)
  const runs = vi.spyOn(SideThreads.prototype, 'run')
  const one = await searchLinked(data, { rank: RANK, threads: 1 })
  runs.mockClear()
  const two = await searchLinked(data, { rank: RANK, threads: 2 })
  expect(runs).toHaveBeenCalled()
  expect(two.result.loss).toBe(one.result.loss)
  expect(two.result.attempts).toEqual(one.result.attempts)
  expect(two.result.model.parameters).toEqual(one.result.model.parameters)
  expect(two.result.model.structure).toEqual(one.result.model.structure)
})
