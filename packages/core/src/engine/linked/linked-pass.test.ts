import { describe, expect, it } from 'vitest'
import { linksOf } from '../../model/links/link-kinds.ts'
import type { ChainSetting, LinkDesign, LinkedRows, LinkSetting, NestedSetting } from '../../model/links/links.ts'
import { type Random, random } from '../../numeric/philox.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { newStatistics } from '../engine.ts'
import { type LinkedSteps, linkedPass, plainSteps } from './linked-pass.ts'

const cases = Array.from({ length: 60 }, (_, seed) => ({ seed }))

/** Answers to three questions, some of which are missing. */
const answers = ({ below }: Random, tiny: boolean): Tensor => {
  const shape = tiny ? [2, 3, ...new Array<number>(30).fill(2)] : [2, 3, 4]
  const count = 1 + below(30)
  const columns = shape.map(size => Int32Array.from({ length: count }, () => (below(9) === 0 ? MISSING : below(size))))
  columns[0][0] = 0
  return buildTensor(
    shape.map((size, n) => new Mode(`q${n}`, size)),
    columns,
    new Float64Array(count).fill(1),
  )
}

const distributions = (lengths: readonly number[], { uniform }: Random) =>
  Float64Array.from(
    lengths.flatMap(length => {
      const draws = Array.from({ length }, () => (uniform() < 0.05 ? 0 : uniform() ** 4) + 1e-30)
      const sum = draws.reduce((all, each) => all + each, 0)
      return draws.map(each => each / sum)
    }),
  )

const rowsOf = ({ cells }: Tensor, most: number, counted: boolean, { below, uniform }: Random): LinkedRows => {
  const units = 1 + below(150)
  const lengths = Array.from({ length: units }, () => 1 + below(most))
  const starts = Int32Array.from([0, ...lengths])
  for (let unit = 1; unit < starts.length; unit++) starts[unit] += starts[unit - 1]
  const size = starts[units]
  return {
    starts,
    weights: Float64Array.from({ length: units }, () => (below(8) === 0 ? 0 : 0.5 + 3 * uniform())),
    cells: Int32Array.from({ length: size }, () => (below(7) === 0 ? MISSING : below(cells))),
    ...(counted && { counts: Float64Array.from({ length: size }, () => 1 + below(5)) }),
  }
}

const design = (of: Int32Array, patterns: number): LinkDesign => ({
  of,
  patterns,
  width: 1,
  values: new Float64Array(),
})

const chain = (data: Tensor, source: Random): ChainSetting => {
  const { below } = source
  const waves = 1 + below(7)
  const rows = rowsOf(data, waves, false, source)
  const same = below(2) === 0
  return {
    kind: 'chain',
    waves,
    same,
    stayers: below(2) === 0,
    rows,
    ...(below(3) === 0 && { starting: design(rows.weights.map(() => below(3)) as never, 3) }),
    ...(below(3) === 0 &&
      waves > 1 && {
        moving: design(
          rows.cells.map(() => below(4)),
          4,
        ),
      }),
  }
}

const nested = (data: Tensor, source: Random): NestedSetting => {
  const { below } = source
  const groupClasses = 1 + below(10)
  const rows = rowsOf(data, 12, below(2) === 0, source)
  return {
    kind: 'nested',
    groupClasses,
    rows,
    ...(below(3) === 0 && {
      grouping: design(
        Int32Array.from(rows.weights, () => below(3)),
        3,
      ),
    }),
  }
}

const closeTo = (found: Float64Array, expected: Float64Array) => {
  const most = expected.reduce((all, each) => Math.max(all, Math.abs(each)), 1)
  const worst = found.reduce((all, each, i) => Math.max(all, Math.abs(each - expected[i])), 0)
  expect(worst).toBeLessThan(1e-11 * most)
}

/** All that a pass gives. */
const passed = (steps: LinkedSteps, data: Tensor, setting: LinkSetting, rank: number, source: Random) => {
  const links = linksOf(setting, rank)
  const factors = data.shape.map(size => distributions(new Array<number>(rank).fill(size), source))
  const byLabel = factors.map((columns, n) =>
    columns.map((_, i) => columns[(i % rank) * data.shape[n] + Math.floor(i / rank)]),
  )
  const tables = distributions(links.distributions, source)
  const sums = {
    tables: new Float64Array(links.size),
    rows: new Float64Array(setting.rows.cells.length * rank),
    groups: new Float64Array(setting.rows.weights.length * (setting.kind === 'nested' ? setting.groupClasses : 1)),
  }
  const statistics = newStatistics(data.shape, rank)
  const logLikelihood = steps.expect({ rank, factors: byLabel }, tables, sums)
  steps.collect(statistics)
  return { logLikelihood, ...sums, sizes: statistics.sizes, factors: statistics.factors }
}

describe.each([
  ['persons at several waves', chain],
  ['members of groups', nested],
] as const)('a pass over %s by kernels', (_, settingOf) => {
  it.each(cases)('is that of the formulas: case $seed', async ({ seed }) => {
    const source = random(seed, 'data')
    const data = answers(source, seed % 5 === 0)
    const setting = settingOf(data, source)
    const steps = await linkedPass(data, setting)
    // The same passes with another number of classes between them, in the same memory.
    for (const rank of [1 + source.below(9), 1 + source.below(5)]) {
      const found = passed(steps, data, setting, rank, random(seed, 'data', rank))
      const expected = passed(plainSteps(data, setting), data, setting, rank, random(seed, 'data', rank))
      expect(Math.abs(found.logLikelihood - expected.logLikelihood)).toBeLessThan(
        1e-12 * Math.abs(expected.logLikelihood) + 1e-12,
      )
      closeTo(found.tables, expected.tables)
      closeTo(found.rows, expected.rows)
      closeTo(found.groups, expected.groups)
      closeTo(found.sizes, expected.sizes)
      found.factors.forEach((factor, n) => void closeTo(factor, expected.factors[n]))
    }
  })
})
