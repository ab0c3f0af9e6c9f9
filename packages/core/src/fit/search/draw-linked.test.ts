import { describe, expect, it } from 'vitest'
import type { ChainSetting, NestedSetting } from '../../model/links/links.ts'
import { random } from '../../numeric/philox.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'
import { drawLinked, resampleUnits } from './draw-linked.ts'

const modes = [new Mode('a', ['no', 'yes']), new Mode('b', ['no', 'yes'])]
// Cells: both answers, and the first alone.
const tensor = buildTensor(modes, [Int32Array.of(0, 1), Int32Array.of(MISSING, 1)], Float64Array.of(1, 1))
const parameters = {
  rank: 2,
  shares: Float64Array.of(0.5, 0.5),
  factors: [Float64Array.of(1, 0, 0, 1), Float64Array.of(0.7, 0.2, 0.3, 0.8)],
}

/** Every unit's rows as texts, with how often it is there. */
const unitsOf = ({ tensor, links }: ReturnType<typeof drawLinked>) => {
  const { starts, cells, weights, counts } = links.rows
  return Array.from(weights, (weight, unit) => ({
    weight,
    rows: Array.from(cells.subarray(starts[unit], starts[unit + 1]), (cell, i) => ({
      text: cell === MISSING ? '..' : tensor.indices.map(column => (column[cell] < 0 ? '.' : column[cell])).join(''),
      count: counts?.[starts[unit] + i] ?? 1,
    })),
  }))
}

describe('persons drawn from a model', () => {
  const rows = {
    weights: Float64Array.of(2000, 3),
    starts: Int32Array.of(0, 3, 4),
    cells: Int32Array.of(1, MISSING, 0, 0),
  }
  const links: ChainSetting = { kind: 'chain', waves: 3, same: true, rows }
  const tables = Float64Array.of(0.75, 0.25, 0.9, 0.1, 0.4, 0.6)
  const drawn = unitsOf(drawLinked(tensor, { ...parameters, tables }, links, random(4, 'replicate', 0), []))

  it('have the waves and lack the answers of those in their place, and their classes follow the transitions', () => {
    expect(drawn.reduce((sum, { weight }) => sum + weight, 0)).toBe(2003)
    const long = drawn.filter(each => each.rows.length === 3)
    expect(long.reduce((sum, { weight }) => sum + weight, 0)).toBe(2000)
    for (const each of long) expect(each.rows.map(({ text }) => text).join()).toMatch(/^[01]{2},\.\.,[01]\.$/)
    const share = (of: (texts: string[]) => boolean) =>
      long.reduce((sum, each) => (of(each.rows.map(({ text }) => text)) ? sum + each.weight : sum), 0) / 2000
    // The first variable is the class: the first wave, and two steps from the first class to itself.
    expect(Math.abs(share(([first]) => first[0] === '0') - 0.75)).toBeLessThan(4 * Math.sqrt(0.1875 / 2000))
    const stays = 0.9 * 0.9 + 0.1 * 0.4
    const both = 0.75 * stays
    expect(Math.abs(share(([first, , last]) => first[0] === '0' && last[0] === '0') - both)).toBeLessThan(
      4 * Math.sqrt((both * (1 - both)) / 2000),
    )
  })

  it('may be drawn from among themselves', () => {
    const { values, links: again } = resampleUnits(tensor, links, random(4, 'resample', 0))
    const [first, second] = again.rows.weights
    expect(first + second).toBe(2003)
    expect([...values]).toEqual([first + second, first])
  })
})

it('groups drawn from a model have the members of those in their place', () => {
  const rows = {
    weights: Float64Array.of(1, 400),
    starts: Int32Array.of(0, 1, 3),
    cells: Int32Array.of(0, 0, 1),
    counts: Float64Array.of(2, 1, 5),
  }
  const links: NestedSetting = { kind: 'nested', groupClasses: 2, rows }
  // All members of a group are in one class.
  const tables = Float64Array.of(0.6, 0.4, 1, 0, 0, 1)
  const drawn = unitsOf(drawLinked(tensor, { ...parameters, tables }, links, random(4, 'replicate', 0), []))
  expect(drawn.reduce((sum, { weight }) => sum + weight, 0)).toBe(401)
  let first = 0
  for (const { weight, rows: own } of drawn) {
    const members = own.reduce((sum, { count }) => sum + count, 0)
    expect([2, 6]).toContain(members)
    expect(new Set(own.map(({ text }) => text[0])).size).toBe(1)
    if (members === 6) {
      expect(own.reduce((sum, { text, count }) => (text[1] === '.' ? sum + count : sum), 0)).toBe(1)
      if (own[0].text[0] === '0') first += weight
    }
  }
  expect(Math.abs(first / 400 - 0.6)).toBeLessThan(4 * Math.sqrt(0.24 / 400))
})
