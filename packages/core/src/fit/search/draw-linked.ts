import { type DrawnItems, drawnValues } from '../../model/draws.ts'
import type { LinkedRows, LinkSetting } from '../../model/links/links.ts'
import { mergeUnits } from '../../model/links/merge-units.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { labelDrawers } from '../../model/row-drawer.ts'
import { ChainStructure } from '../../model/structures/chain.ts'
import { NestedStructure } from '../../model/structures/nested.ts'
import { drawer } from '../../numeric/drawer.ts'
import type { Random } from '../../numeric/philox.ts'
import { buildTensor } from '../../tensor/build.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** Rows that belong together, and what links them. */
export interface DrawnLinks {
  readonly tensor: Tensor
  readonly links: LinkSetting
}

/**
 * As many persons or groups drawn from a model: each has the waves or members of the one in its place, and lacks the answers that these lack.
 * @param parameters with the tables of the links
 */
export const drawLinked = (
  { modes, indices }: Tensor,
  parameters: ModelParameters,
  links: LinkSetting,
  source: Random,
  items: DrawnItems,
): DrawnLinks => {
  const { uniform } = source
  const { starts, cells, weights, counts } = links.rows
  const drawUnit = unitDrawer(parameters, links)
  const labels = labelDrawers(parameters)
  const values = drawnValues({ modes, indices }, items, source)
  const row = new Int32Array(modes.length)
  const columns = modes.map((): number[] => [])
  const drawn = { starts: [0], rows: [] as number[] }
  for (let unit = 0; unit + 1 < starts.length; unit++) {
    const sources: number[] = []
    for (let at = starts[unit]; at < starts[unit + 1]; at++)
      for (let left = counts?.[at] ?? 1; left > 0; left--) sources.push(cells[at])
    for (let left = weights[unit]; left > 0; left--) {
      drawUnit(sources.length, uniform).forEach((of, i) => {
        const cell = sources[i]
        if (cell === MISSING) {
          drawn.rows.push(MISSING)
          return
        }
        labels.forEach((draw, n) => {
          row[n] = draw[of](uniform())
        })
        values.draw(of, row, cell)
        drawn.rows.push(columns[0].length)
        columns.forEach((column, n) => void column.push(indices[n][cell] === MISSING ? MISSING : row[n]))
      })
      drawn.starts.push(drawn.rows.length)
    }
  }
  const answers = columns.map(column => Int32Array.from(column))
  const tensor = buildTensor(values.modes(answers), answers, new Float64Array(answers[0].length).fill(1))
  const positions = cellPositions(tensor, answers)
  const rows = {
    weights: new Float64Array(drawn.starts.length - 1).fill(1),
    starts: Int32Array.from(drawn.starts),
    cells: Int32Array.from(drawn.rows, at => (at === MISSING ? MISSING : positions[at])),
  }
  return { tensor, links: { ...links, rows: mergeUnits(links.kind === 'nested' ? countedMembers(rows) : rows) } }
}

/** A function that draws the classes of a unit with so many rows. */
const unitDrawer = (
  { rank, tables }: ModelParameters,
  links: LinkSetting,
): ((rows: number, uniform: () => number) => readonly number[]) => {
  const row = (from: number, length: number) => [...tables!.subarray(from, from + length)]
  const rowsFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => row(from + i * rank, rank))
  if (links.kind === 'nested') {
    const { groupClasses } = links
    const groupSizes = row(0, groupClasses)
    const draw = new NestedStructure({
      within: 'group',
      groupSizes,
      mixes: rowsFrom(groupClasses, groupClasses),
    }).drawer()
    return (rows, uniform) => draw(rows, uniform).classes
  }
  const steps = (tables!.length / rank - 1) / rank
  return new ChainStructure({
    person: 'person',
    time: 'wave',
    waves: Array.from({ length: links.waves }, (_, wave) => wave),
    initial: row(0, rank),
    transitions: Array.from({ length: steps }, (_, step) => rowsFrom(rank + step * rank * rank, rank)),
  }).drawer()
}

/** Members of a group with equal answers as one row that counts as often. */
const countedMembers = ({ weights, starts, cells }: LinkedRows): LinkedRows => {
  const merged = { starts: [0], cells: [] as number[], counts: [] as number[] }
  for (let unit = 0; unit + 1 < starts.length; unit++) {
    const own = cells.slice(starts[unit], starts[unit + 1]).sort()
    own.forEach((cell, i) => {
      if (i > 0 && own[i - 1] === cell) merged.counts[merged.counts.length - 1]++
      else {
        merged.cells.push(cell)
        merged.counts.push(1)
      }
    })
    merged.starts.push(merged.cells.length)
  }
  return {
    weights,
    starts: Int32Array.from(merged.starts),
    cells: Int32Array.from(merged.cells),
    counts: Float64Array.from(merged.counts),
  }
}

/** As many persons or groups, drawn from among themselves: how often each cell of the data is then there, and each unit. */
export const resampleUnits = ({ cells }: Pick<Tensor, 'cells'>, links: LinkSetting, { uniform }: Random) => {
  const { rows } = links
  const weights = new Float64Array(rows.weights.length)
  const draw = drawer(rows.weights)
  const units = rows.weights.reduce((sum, weight) => sum + weight, 0)
  for (let i = 0; i < units; i++) weights[draw(uniform())]++
  const values = new Float64Array(cells)
  weights.forEach((weight, unit) => {
    for (let at = rows.starts[unit]; at < rows.starts[unit + 1]; at++)
      if (rows.cells[at] !== MISSING) values[rows.cells[at]] += weight * (rows.counts?.[at] ?? 1)
  })
  return { values, links: { ...links, rows: { ...rows, weights } } }
}
