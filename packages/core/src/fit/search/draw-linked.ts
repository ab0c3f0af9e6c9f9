import { defined } from '../../defined.ts'
import { type DrawnItems, drawnValues } from '../../model/draws.ts'
import { ChainLinks } from '../../model/links/chain.ts'
import type { LinkDesign, LinkedRows, LinkSetting } from '../../model/links/links.ts'
import { mergeUnits } from '../../model/links/merge-units.ts'
import { NestedLinks } from '../../model/links/nested.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { labelDrawers } from '../../model/row-drawer.ts'
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
  /** For every drawn unit and row the one in whose place it is. */
  const drawn = { starts: [0], rows: [] as number[], unitOf: [] as number[], rowOf: [] as number[] }
  for (let unit = 0; unit + 1 < starts.length; unit++) {
    const sources: number[] = []
    for (let at = starts[unit]; at < starts[unit + 1]; at++)
      for (let left = counts?.[at] ?? 1; left > 0; left--) sources.push(at)
    for (let left = weights[unit]; left > 0; left--) {
      drawn.unitOf.push(unit)
      drawUnit(unit, sources, uniform).forEach((of, i) => {
        drawn.rowOf.push(sources[i])
        const cell = cells[sources[i]]
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
  return { tensor, links: mergeUnits(placedLinks(links, rows, drawn)) }
}

/** The same links on other rows, each with the covariates of the one in whose place it is. */
const placedLinks = (
  links: LinkSetting,
  rows: LinkedRows,
  { unitOf, rowOf }: { readonly unitOf: readonly number[]; readonly rowOf: readonly number[] },
): LinkSetting => {
  const placed = (design: LinkDesign | undefined, places: readonly number[]) =>
    design && { ...design, of: Int32Array.from(places, at => design.of[at]) }
  if (links.kind === 'chain') {
    const { starting, moving } = links
    return { ...links, ...defined({ starting: placed(starting, unitOf), moving: placed(moving, rowOf) }), rows }
  }
  const { grouping, mixing } = links
  const explained = defined({ grouping: placed(grouping, unitOf), mixing: placed(mixing, rowOf) })
  return { ...links, ...explained, rows: mixing === undefined ? countedMembers(rows) : rows }
}

/** A function that draws the classes of a unit's rows: its covariates have distributions of their own. */
const unitDrawer = (
  { rank, tables }: ModelParameters,
  setting: LinkSetting,
): ((unit: number, rows: readonly number[], uniform: () => number) => readonly number[]) => {
  const drawers = new Map<number, (uniform: number) => number>()
  const from = (first: number, length: number) => {
    const known = drawers.get(first) ?? drawer(tables!.slice(first, first + length))
    drawers.set(first, known)
    return known
  }
  if (setting.kind === 'nested') {
    const links = new NestedLinks(setting, rank)
    return (unit, rows, uniform) => {
      const g = from(links.sizesOf(unit), setting.groupClasses)(uniform())
      return rows.map(row => from(links.mixesOf(row) + g * rank, rank)(uniform()))
    }
  }
  const { layout } = new ChainLinks(setting, rank)
  return (unit, rows, uniform) => {
    let state = from(layout.initial(unit), layout.states)(uniform())
    return rows.map((row, t) => {
      // What is beyond the classes is the class of a person who never changes.
      if (t > 0 && state < rank) state = from(layout.to(row, t) + state * rank, rank)(uniform())
      return state % rank
    })
  }
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
