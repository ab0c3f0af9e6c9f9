import { chooseRank, type Tensor, tensorFromArray } from '@polyad/core'
import { type Random, random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/** How often the held-out log-likelihood prefers the true number of classes: two, of five yes/no items. */

const ITEMS = 5

const drawn = ({ uniform }: Random, observations: number): Tensor => {
  const share = 0.3 + 0.4 * uniform()
  const yes = [0.1, 0.6].map(low => Array.from({ length: ITEMS }, () => low + 0.3 * uniform()))
  const cells = Array.from({ length: 2 ** ITEMS }, (_, cell) =>
    yes.reduce((sum, own, k) => {
      const within = own.reduce((product, p, n) => product * ((cell >> n) & 1 ? p : 1 - p), 1)
      return sum + (k === 0 ? share : 1 - share) * within
    }, 0),
  )
  const counts = cells.map(() => 0)
  for (let i = 0; i < observations; i++) {
    let [cell, left] = [0, uniform() - cells[0]]
    while (left > 0 && cell < cells.length - 1) left -= cells[++cell]
    counts[cell]++
  }
  return tensorFromArray(counts, { shape: new Array(ITEMS).fill(2) })
}

/** How many of the tables prefer each number of classes, from 1. */
const preferred = async (tables: number, observations: number, seed: number): Promise<number[]> => {
  const votes = [0, 0, 0, 0]
  for (let table = 0; table < tables; table++) {
    const tensor = drawn(random(seed, 'data', table), observations)
    const { fits } = await chooseRank(tensor, { to: 4, starts: 6, threads: 1 })
    const values = fits.map(({ heldOut }) => heldOut!)
    votes[values.indexOf(Math.max(...values))]++
  }
  console.log(
    `${observations} observations: 1, 2, 3, 4 classes are preferred in ${votes.join(', ')} of ${tables} tables`,
  )
  return votes
}

describe('the held-out log-likelihood prefers two classes', () => {
  // With folds that were copies of each other it was 0 of 12.
  it('in tables of 3,000,000, whose cells are split by binomial draws', async () => {
    expect((await preferred(12, 3_000_000, 2031))[1]).toBeGreaterThanOrEqual(7)
  })

  it('in tables of 150', async () => {
    expect((await preferred(60, 150, 2032))[1]).toBeGreaterThanOrEqual(42)
  })
})
