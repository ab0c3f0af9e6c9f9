import { describe, expect, it } from 'vitest'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { Model } from '../../model/model.ts'
import { eigenvalues } from '../../numeric/symmetric.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { Mode } from '../../tensor/mode.ts'
import { interiorParameters } from './boundary.ts'
import { freeParameters } from './free-parameters.ts'
import { freeDirections, identifyModel, rankOfDirections, whereText } from './local-identification.ts'

const SHAPE = [2, 3, 2]
const modelOf = (sizes: number[], ...factors: number[][]) =>
  new Model(
    factors.map((factor, n) => new Mode('ABCD'[n], factor.length / sizes.length)),
    { rank: sizes.length, sizes: Float64Array.from(sizes), factors: factors.map(each => Float64Array.from(each)) },
  )

/** The table of a model, cell by cell. */
const table = (
  shares: ArrayLike<number>,
  factors: readonly ArrayLike<number>[],
  shape: readonly number[],
): number[] => {
  const rank = shares.length
  let classes = Array.from(shares, share => [share])
  shape.forEach((size, n) => {
    classes = classes.map((cells, k) =>
      cells.flatMap(p => Array.from({ length: size }, (_, j) => p * factors[n][j * rank + k])),
    )
  })
  return classes[0].map((_, cell) => classes.reduce((sum, own) => sum + own[cell], 0))
}

/** The singular values of the table's derivatives, each of length 1: every entry of a column against the largest of it. */
const singularValues = ({ parameters: { shares, factors, rank } }: Model, shape: readonly number[]): number[] => {
  const tables = [shares, ...factors]
  const columns = tables.flatMap((entries, t) =>
    t === 0
      ? [{ t, places: [...entries.keys()] }]
      : Array.from({ length: rank }, (_, k) => ({
          t,
          places: Array.from({ length: entries.length / rank }, (_, j) => j * rank + k),
        })),
  )
  const derivatives = columns.flatMap(({ t, places }) => {
    const order = places.toSorted((a, b) => tables[t][a] - tables[t][b] || a - b)
    const last = order.pop()!
    return order.map(at => {
      // The table is linear in every column.
      const [up, down] = [at, last].map(one => {
        const own = tables.map((entries, u) => (u === t ? entries.map((p, i) => p + (i === one ? 1 : 0)) : entries))
        return table(own[0], own.slice(1), shape)
      })
      const difference = up.map((p, cell) => p - down[cell])
      const length = Math.hypot(...difference)
      return difference.map(each => (length > 1e-12 ? each / length : 0))
    })
  })
  const n = derivatives.length
  const products = Float64Array.from({ length: n * n }, (_, i) =>
    derivatives[Math.floor(i / n)].reduce((sum, each, cell) => sum + each * derivatives[i % n][cell], 0),
  )
  return [...eigenvalues(products, n)].map(value => Math.sqrt(Math.max(0, value)))
}

describe('the rank at a model', () => {
  const apart = modelOf([3, 2], [0.8, 0.3, 0.2, 0.7], [0.5, 0.1, 0.3, 0.3, 0.2, 0.6], [0.9, 0.4, 0.1, 0.6])
  const three = modelOf(
    [4, 3, 3],
    [0.8, 0.3, 0.5, 0.2, 0.7, 0.5],
    [0.5, 0.1, 0.3, 0.3, 0.3, 0.6, 0.2, 0.6, 0.1],
    [0.9, 0.4, 0.2, 0.1, 0.6, 0.8],
  )

  it('and its gap are those of the derivatives of the whole table', () => {
    const full = singularValues(apart, SHAPE)
    const { atFit, verdict } = identifyModel(apart)
    expect(verdict).toBe('identified')
    expect(atFit).toMatchObject({ rank: full.length, classes: [], modes: [], boundary: 0 })
    // Nothing is below the smallest but rounding.
    expect(atFit!.gap / (full[full.length - 1] / 3e-8)).toBeCloseTo(1, 6)
    const some = singularValues(three, SHAPE)
    const found = identifyModel(three)
    expect(some.filter(value => value > 1e-6)).toHaveLength(found.atFit!.rank)
    expect(found).toMatchObject({ parameters: 14, rank: 11, verdict: 'not identified' })
    expect(found.atFit).toMatchObject({ rank: 11, classes: [0, 1, 2], modes: ['A', 'B', 'C'] })
    expect(found.atFit!.gap).toBeCloseTo(some[10] / Math.max(3e-8, some[11]), -3)
  })

  it('is known in some directions too, and in none', () => {
    const directions = freeDirections(freeParameters(apart.parameters))
    expect(directions).toHaveLength(9)
    expect(directions[0]).toEqual([{ up: { mode: -1, label: 0, class: 1 }, down: { mode: -1, label: 0, class: 0 } }])
    expect(directions[3]).toEqual([{ up: { mode: 1, label: 2, class: 0 }, down: { mode: 1, label: 0, class: 0 } }])
    expect(rankOfDirections(apart, directions)!.rank).toBe(9)
    expect(rankOfDirections(apart, directions, 4)!.rank).toBe(4)
    expect(rankOfDirections(apart, [])).toEqual({ rank: 0, gap: Number.POSITIVE_INFINITY, classes: [], modes: [] })
    expect(rankOfDirections(apart, new Array(401).fill(directions[0]))).toBeUndefined()
    expect(rankOfDirections(apart, new Array(400).fill(directions[0]))!.rank).toBe(1)
    // Columns that are equal move together.
    const mirrored = modelOf([3, 2], [0.8, 0.3, 0.2, 0.7], [0.5, 0.2, 0.3, 0.3, 0.2, 0.5], [0.9, 0.4, 0.1, 0.6])
    const tied = [
      [
        { mode: 1, class: 0, labels: [0, 1, 2] },
        { mode: 1, class: 1, labels: [2, 1, 0] },
      ],
    ]
    const equal = freeDirections(freeParameters(mirrored.parameters, undefined, undefined, { fixed: [], tied }))
    expect(equal).toHaveLength(7)
    expect(equal[3]).toEqual([
      { up: { mode: 1, label: 2, class: 0 }, down: { mode: 1, label: 0, class: 0 } },
      { up: { mode: 1, label: 0, class: 1 }, down: { mode: 1, label: 2, class: 1 } },
    ])
    expect(rankOfDirections(mirrored, equal)!.rank).toBe(7)
  })

  it('says which classes and variables can change without the table', () => {
    // The classes differ in A alone: its probabilities and the shares can be exchanged for each other.
    const alike = modelOf([3, 2], [0.8, 0.3, 0.2, 0.7], [0.5, 0.5, 0.3, 0.3, 0.2, 0.2], [0.9, 0.9, 0.1, 0.1])
    expect(identifyModel(alike)).toMatchObject({
      verdict: 'not identified',
      rank: 9,
      atFit: { rank: 7, classes: [0, 1], modes: ['A'], boundary: 0 },
    })
    // The third class has no share: its own probabilities change nothing.
    const empty = modelOf(
      [3, 2, 0],
      [0.8, 0.3, 0.5, 0.2, 0.7, 0.5],
      [0.6, 0.2, 0.5, 0.4, 0.8, 0.5],
      [0.9, 0.4, 0.2, 0.1, 0.6, 0.8],
      [0.3, 0.6, 0.1, 0.7, 0.4, 0.9],
    )
    const { atFit } = identifyModel(empty)
    expect(atFit).toMatchObject({ classes: [2], modes: ['A', 'B', 'C', 'D'], boundary: 1 })
    // One of two shares is at zero, and so one at 1, which is no zero.
    const zeros = modelOf([1, 0], [1, 0.3, 0, 0.7], [0.5, 0.1, 0.5, 0.9], [0.9, 0.4, 0.1, 0.6], [0.2, 0.3, 0.8, 0.7])
    expect(identifyModel(zeros)).toMatchObject({ verdict: 'boundary', atFit: { boundary: 2 } })
  })

  it('is in words', () => {
    expect(whereText({ classes: [0, 1], modes: ['A'] })).toBe('classes 1 and 2 in A')
    expect(whereText({ classes: [0, 1, 2, 3, 4, 5], modes: [...'abcdef'] })).toBe(
      'classes 1, 2, 3, 4, 5 and 6 in a, b, c, d, e, f',
    )
  })
})

describe('parameters near zero', () => {
  const near = async (counts: number[], shares: number[], factors: number[][], tolerance = 1e-6) => {
    const tensor = tensorFromColumns(
      [
        [0, 0, 1, 1],
        [0, 1, 0, 1],
      ],
      counts,
      { shape: [2, 2] },
    )
    const session = await wasmEngine({ threads: 1 }).open(tensor)
    const model = {
      rank: shares.length,
      shares: Float64Array.from(shares),
      factors: factors.map(each => Float64Array.from(each)),
    }
    const found = await interiorParameters(session, model, tolerance)
    await session.close()
    return [...found]
  }
  const N = 1e9

  it('are above it if EM would bring them back, from half of what they are or from nothing', async () => {
    // 40 of a thousand million in A's second label, the first position of which is 1.
    const p = 40 / N
    const counts = [0.4 * N, 0.6 * N - 40, 0, 40]
    const nearAt = (share: number) =>
      near(
        counts,
        [1],
        [
          [1 - share, share],
          [0.4, 0.6],
        ],
      )
    expect(await nearAt(p)).toEqual([2])
    // Far below where it belongs, and far above.
    expect(await nearAt(p / 30)).toEqual([2])
    expect(await nearAt(9 * p)).toEqual([2])
    // Without any observation it is on its way to zero; above the tolerance nothing is asked.
    expect(
      await near(
        [0.4 * N, 0.6 * N, 0, 0],
        [1],
        [
          [1 - p, p],
          [0.4, 0.6],
        ],
      ),
    ).toEqual([])
    expect(
      await near(
        counts,
        [1],
        [
          [1 - p, p],
          [0.4, 0.6],
        ],
        1e-9,
      ),
    ).toEqual([])
    // Less than a thousandth of an observation is none.
    expect(
      await near(
        [4, 6, 0, 0],
        [1],
        [
          [1 - 1e-7, 1e-7],
          [0.4, 0.6],
        ],
      ),
    ).toEqual([])
  })

  it('are shares too: of a class that has observations of its own, and not of one that has none', async () => {
    const p = 40 / N
    const counts = [0.4 * N, 0.6 * N - 40, 0, 40]
    // The second class alone explains the 40: position 1 is its share.
    expect(
      await near(
        counts,
        [1 - p, p],
        [
          [1, 0, 0, 1],
          [0.4, 0, 0.6, 1],
        ],
      ),
    ).toEqual([1])
    // Both explain everything alike: any share will do, and it is not brought back.
    expect(
      await near(
        [0.4 * N, 0.6 * N, 0, 0],
        [1 - p, p],
        [
          [1, 0.5, 0, 0.5],
          [0.4, 0.4, 0.6, 0.6],
        ],
      ),
    ).toEqual([])
  })
})
