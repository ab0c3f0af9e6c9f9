import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { log } from '../../numeric/log.ts'
import { newArena, newArenaPool } from './arena.ts'
import { BLOCK_CELLS } from './context.ts'
import { FREE_FROM } from './generated/kernels.ts'

describe('an arena', () => {
  it('has a logarithm with the same bits as the one in TypeScript', async () => {
    const { kernels } = await newArena()
    const normal = fc.double({ min: 2 ** -1022, max: Number.MAX_VALUE, noNaN: true })
    fc.assert(
      fc.property(fc.oneof(normal, fc.double({ min: 0.5, max: 2, noNaN: true })), x =>
        Object.is(kernels.log(x), log(x)),
      ),
      { numRuns: 5000 },
    )
  })

  it('pads rows in place', async () => {
    const arena = await newArena()
    const table = arena.take(8 * 4 * 5)
    arena.commit()
    const rows = Float64Array.from({ length: 15 }, (_, i) => i + 1)
    arena.f64.set(rows, table / 8 + 5)
    arena.kernels.pad(table, 5, 3, 4)
    expect([...arena.f64.subarray(table / 8, table / 8 + 8)]).toEqual([1, 2, 3, 0, 4, 5, 6, 0])
  })

  it('begins above what the kernels keep for themselves', async () => {
    const arena = await newArena()
    const room = arena.take(1 << 20)
    arena.commit()
    arena.u8.fill(0xff, room)
    for (const x of [0.3, 1, 7e200]) expect(arena.kernels.log(x)).toBe(log(x))
    // The buffer for cells that are taken out of a block reaches as far as a block does.
    expect(FREE_FROM).toBeGreaterThan(2 * 8 * BLOCK_CELLS)
    expect(room).toBeGreaterThanOrEqual(FREE_FROM)
  })

  it('refuses more than a WebAssembly memory can hold', async () => {
    const arena = await newArena()
    expect(() => arena.take(5 * 2 ** 30)).toThrow('5.0 GB are needed in one WebAssembly memory, which has 4 GB')
  })

  it('comes back from the pool it was given to', async () => {
    const pool = newArenaPool()
    const arena = await pool.borrow()
    const first = arena.take(100)
    pool.giveBack(arena)
    expect(await pool.borrow()).toBe(arena)
    expect(arena.take(100)).toBe(first)
    expect(await pool.borrow()).not.toBe(arena)
  })
})
