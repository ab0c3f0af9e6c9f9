import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { ChainLinks } from './chain.ts'
import { linksOf } from './link-kinds.ts'
import type { ChainSetting, LinkedRows, LinkSetting, NestedSetting } from './links.ts'
import { mergeUnits } from './merge-units.ts'

const RANK = 3
const CELLS = 4
const { uniform } = random(7, 'data')
const emission = {
  weights: Float64Array.from({ length: CELLS * RANK }, uniform),
  exponents: Int32Array.of(0, -1200, 0, 3),
}
const likelihood = (cell: number, k: number) => (cell === MISSING ? 1 : emission.weights[cell * RANK + k])
const exponentOf = (cell: number) => (cell === MISSING ? 0 : emission.exponents[cell])

/** Random distributions. */
const tablesOf = (setting: LinkSetting): Float64Array => {
  const { distributions } = linksOf(setting, RANK)
  return Float64Array.from(
    distributions.flatMap(length => {
      const draws = Array.from({ length }, uniform)
      const sum = draws.reduce((all, each) => all + each, 0)
      return draws.map(each => each / sum)
    }),
  )
}

const sumsOf = (setting: LinkSetting) => ({
  cells: new Float64Array(CELLS * RANK),
  tables: new Float64Array(linksOf(setting, RANK).size),
  rows: new Float64Array(setting.rows.cells.length * RANK),
  ...(setting.kind === 'nested' && { groups: new Float64Array(setting.rows.weights.length * setting.groupClasses) }),
})

/** All sequences of numbers below `base`. */
const sequences = (base: number, length: number): number[][] =>
  length === 0
    ? [[]]
    : sequences(base, length - 1).flatMap(start => Array.from({ length: base }, (_, k) => [...start, k]))

const closeTo = (found: Float64Array, expected: Float64Array | number[]) =>
  [...expected].forEach((each, i) => void expect(found[i]).toBeCloseTo(each, 9))

const people = {
  weights: Float64Array.of(1, 2.5, 0, 1),
  starts: Int32Array.of(0, 4, 6, 7, 11),
  cells: Int32Array.of(0, 1, 2, 3, 2, MISSING, 0, MISSING, MISSING, 3, 1),
}

describe.each([true, false])(
  'a chain of classes by the recursion, with the same transitions for all steps: %s',
  same => {
    const setting: ChainSetting = { kind: 'chain', waves: 4, same, rows: people }
    const links = linksOf(setting, RANK) as ChainLinks
    const tables = tablesOf(setting)
    const step = (t: number, from: number, to: number) => RANK + (same ? 0 : (t - 1) * RANK * RANK) + from * RANK + to

    /** The same by all paths of classes. */
    const byPaths = () => {
      const sums = sumsOf(setting)
      const paths = new Int32Array(people.cells.length)
      let logLikelihood = 0
      people.weights.forEach((weight, unit) => {
        const rows = people.cells.subarray(people.starts[unit], people.starts[unit + 1])
        const probability = (path: number[]) =>
          path.reduce(
            (p, k, t) => p * (t === 0 ? tables[k] : tables[step(t, path[t - 1], k)]) * likelihood(rows[t], k),
            1,
          )
        const all = sequences(RANK, rows.length).map(path => ({ path, p: probability(path) }))
        const total = all.reduce((sum, { p }) => sum + p, 0)
        const best = all.reduce((most, each) => (each.p > most.p ? each : most))
        best.path.forEach((k, t) => {
          paths[people.starts[unit] + t] = k
        })
        if (weight > 0)
          logLikelihood += weight * (Math.log(total) + rows.reduce((sum, cell) => sum + exponentOf(cell), 0) * Math.LN2)
        for (const { path, p } of all)
          path.forEach((k, t) => {
            const part = p / total
            if (weight > 0) sums.rows[(people.starts[unit] + t) * RANK + k] += part
            if (rows[t] !== MISSING) sums.cells[rows[t] * RANK + k] += weight * part
            sums.tables[t === 0 ? k : step(t, path[t - 1], k)] += weight * part
          })
      })
      return { sums, logLikelihood, paths }
    }

    it('has the likelihood, the posteriors and the expected counts of all paths', () => {
      const [found, expected] = [sumsOf(setting), byPaths()]
      const logLikelihood = links.expect(emission, tables, found)
      expect(logLikelihood).toBeCloseTo(expected.logLikelihood, 9)
      closeTo(found.cells, expected.sums.cells)
      closeTo(found.tables, expected.sums.tables)
      closeTo(found.rows, expected.sums.rows)
    })

    it('has the most probable path', () => {
      expect([...links.paths(emission, tables)]).toEqual([...byPaths().paths])
    })

    it('has class sizes by wave, and over all rows', () => {
      const waves = links.byWave(tables)
      for (const path of sequences(RANK, 4).slice(0, 1)) expect(waves[0][path[0]]).toBe(tables[path[0]])
      const marginal = (t: number, k: number) =>
        sequences(RANK, t + 1)
          .filter(path => path[t] === k)
          .reduce(
            (sum, path) =>
              sum + path.reduce((p, j, s) => p * (s === 0 ? tables[j] : tables[step(s, path[s - 1], j)]), 1),
            0,
          )
      waves.forEach(
        (sizes, t) =>
          void closeTo(
            sizes,
            Array.from({ length: RANK }, (_, k) => marginal(t, k)),
          ),
      )
      const shares = new Float64Array(RANK)
      links.shares(tables, shares)
      const people = [4.5 - 0, 4.5, 2, 2]
      const all = people.reduce((sum, each) => sum + each, 0)
      closeTo(
        shares,
        Array.from({ length: RANK }, (_, k) => people.reduce((sum, n, t) => sum + (n / all) * marginal(t, k), 0)),
      )
    })

    it('is the same model with its classes in another order', () => {
      const order = [2, 0, 1]
      const moved = links.reorder(tables, order)
      const weights = emission.weights.map((_, i) => emission.weights[i - (i % RANK) + order[i % RANK]])
      expect(links.expect({ ...emission, weights }, moved, sumsOf(setting))).toBeCloseTo(
        links.expect(emission, tables, sumsOf(setting)),
        10,
      )
    })
  },
)

describe('classes of groups', () => {
  const rows = {
    weights: Float64Array.of(1, 2, 1),
    starts: Int32Array.of(0, 3, 4, 6),
    cells: Int32Array.of(0, 1, 3, 2, 2, 3),
    counts: Float64Array.of(1, 2, 1, 1, 3, 1),
  }
  const setting: NestedSetting = { kind: 'nested', groupClasses: 2, rows }
  const links = linksOf(setting, RANK)
  const tables = tablesOf(setting)

  it('have the likelihood, the posteriors and the expected counts of all combinations', () => {
    const found = sumsOf(setting)
    const expected = sumsOf(setting)
    let logLikelihood = 0
    rows.weights.forEach((weight, unit) => {
      // Every member is a row of its own.
      const members = [...rows.cells.subarray(rows.starts[unit], rows.starts[unit + 1])].flatMap((cell, i) =>
        Array.from({ length: rows.counts[rows.starts[unit] + i] }, () => ({ cell, row: rows.starts[unit] + i })),
      )
      const all = [0, 1].flatMap(g =>
        sequences(RANK, members.length).map(path => ({
          g,
          path,
          p: path.reduce((p, k, m) => p * tables[2 + g * RANK + k] * likelihood(members[m].cell, k), tables[g]),
        })),
      )
      const total = all.reduce((sum, { p }) => sum + p, 0)
      const exponent = members.reduce((sum, { cell }) => sum + exponentOf(cell), 0)
      logLikelihood += weight * (Math.log(total) + exponent * Math.LN2)
      for (const { g, path, p } of all) {
        expected.groups![unit * 2 + g] += p / total
        expected.tables[g] += (weight * p) / total
        path.forEach((k, m) => {
          expected.tables[2 + g * RANK + k] += (weight * p) / total
          expected.cells[members[m].cell * RANK + k] += (weight * p) / total
          expected.rows[members[m].row * RANK + k] += p / total / rows.counts[members[m].row]
        })
      }
    })
    expect(links.expect(emission, tables, found)).toBeCloseTo(logLikelihood, 9)
    closeTo(found.cells, expected.cells)
    closeTo(found.tables, expected.tables)
    closeTo(found.rows, expected.rows)
    closeTo(found.groups!, expected.groups!)
  })

  it('are the same model with the classes in another order', () => {
    const order = [1, 2, 0]
    const weights = emission.weights.map((_, i) => emission.weights[i - (i % RANK) + order[i % RANK]])
    expect(links.expect({ ...emission, weights }, links.reorder(tables, order), sumsOf(setting))).toBeCloseTo(
      links.expect(emission, tables, sumsOf(setting)),
      10,
    )
  })
})

it('counts units that are alike as one', () => {
  const rows = {
    weights: Float64Array.of(1, 2, 3, 4),
    starts: Int32Array.of(0, 2, 3, 5, 7),
    cells: Int32Array.of(0, 1, 0, 0, 1, 1, 0),
  }
  const merged = (rows: LinkedRows) => mergeUnits({ kind: 'chain', waves: 2, same: false, rows }).rows
  expect(merged(rows)).toEqual({
    weights: Float64Array.of(4, 2, 4),
    starts: Int32Array.of(0, 2, 3, 5),
    cells: Int32Array.of(0, 1, 0, 1, 0),
  })
  const groups = { ...rows, counts: Float64Array.of(1, 1, 1, 1, 2, 1, 1) }
  expect(merged(groups).weights).toEqual(rows.weights)
  const tables = tablesOf({ kind: 'chain', waves: 2, same: false, rows })
  const likelihoods = [rows, merged(rows)].map(each => {
    const setting: ChainSetting = { kind: 'chain', waves: 2, same: false, rows: each }
    return linksOf(setting, RANK).expect(emission, tables, sumsOf(setting))
  })
  expect(likelihoods[1]).toBeCloseTo(likelihoods[0], 10)
})

it('makes starts that are distributions', () => {
  const settings: LinkSetting[] = [
    { kind: 'chain', waves: 3, same: false, rows: people },
    { kind: 'nested', groupClasses: 3, rows: people },
  ]
  for (const setting of settings)
    for (const draws of [undefined, uniform]) {
      const links = linksOf(setting, RANK)
      const tables = links.start(Float64Array.of(0.7, 0.3, 0), draws)
      let first = 0
      for (const length of links.distributions) {
        const part = tables.subarray(first, first + length)
        expect(part.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12)
        expect(Math.min(...part)).toBeGreaterThan(0)
        first += length
      }
      expect(first).toBe(tables.length)
    }
})
