import { OptionError } from '../../errors.ts'
import { ChainLinks } from '../../model/links/chain.ts'
import { emit, newEmission } from '../../model/links/emission.ts'
import type { Model } from '../../model/model.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { isLinked, linkCovariates } from '../../model/structures/linked.ts'
import { drawer } from '../../numeric/drawer.ts'
import { random } from '../../numeric/philox.ts'
import { buildTensor } from '../../tensor/build.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'
import { givenMode } from '../model-data/given-mode.ts'
import { placeLinks } from '../model-data/placed-links.ts'
import { placeRows } from '../model-data/placed-rows.ts'

/** Rows that belong together, one after the other, as codes. */
export interface LinkableRows {
  /** For every mode of the model the position of each row's label; below 0 if it has none that the model knows. */
  readonly codes: readonly Int32Array[]
  /** The number of each row's person or group, from 0; below 0 if it has none: such a row stands alone. */
  readonly units: Int32Array
  /** What persons and groups are called, by their numbers, for messages. Default: their numbers. */
  readonly names?: (unit: number) => string
  /** Of persons over time: the position of each row's wave among those of the model; below 0 if it has none that the model knows. */
  readonly waves?: Int32Array
  /** How often each row was seen. Default: once. */
  readonly counts?: ArrayLike<number>
  /**
   * For every covariate of the model (`linkCovariates`) the number of each row, or the position of its category; not a number, or below 0, if it has none. A person,
   * group or row that lacks one has the mean sizes and transitions of the model.
   */
  readonly given?: readonly ArrayLike<number>[]
}

/** The classes of linked rows under a model. */
export interface LinkedClasses {
  /** P[class | all rows of the person or group], by row and class. */
  readonly posteriors: Float64Array
  /** The log-likelihood of all answers of the row's person or group, by row. */
  readonly logLikelihoods: Float64Array
  /** The sum over persons or groups. */
  readonly logLikelihood: number
  /** The person or group of each row, numbered from 0 in the order of their first rows; −1 for a row without a wave. */
  readonly units: Int32Array
  /** How many persons or groups there are. */
  readonly unitCount: number
  /** Of persons over time: the classes of each person at all waves up to the last one with a row, in the most probable sequence. */
  readonly paths?: readonly Int32Array[]
  /** Of persons over time: P[class at a wave | all rows of the person], by person, wave (up to the last one with a row) and class. */
  readonly waves?: readonly Float64Array[]
  /** Of groups: P[class of the group | all its rows], by group and class. */
  readonly groups?: Float64Array
  /** Draws the classes of all rows, together for each person or group, from what is known of them. @param draw from 1 */
  draw(seed: number, draw: number): Int32Array
}

/** A row that was seen so rarely has no weight in its group, and gets a class all the same. */
const LEAST_COUNT = 1e-12

/**
 * The classes of rows that belong together, which are read together: of persons at every wave, or of the members of groups. Persons and groups need not be those of
 * the fit.
 * @example
 * const tables = { within: 'school', groupSizes: [0.5, 0.5], mixes: [[0.9, 0.1], [0.2, 0.8]] }
 * const pupils = new Model(model.modes, { rank: 2, sizes: Float64Array.from(model.sizes), factors: model.parameters.factors }, undefined, new NestedStructure(tables))
 * const codes = pupils.modes.map(() => Int32Array.of(0, 0, 0))
 * const found = linkedClasses(pupils, { codes, units: Int32Array.of(0, 0, 1) })
 * found.unitCount // 2
 * found.posteriors.length // 6
 */
export const linkedClasses = (model: Model, rows: LinkableRows): LinkedClasses => {
  const { rank, structure, parameters } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of persons over time or of groups', structure.kind)
  const isChain = structure.kind === 'chain'
  const codes = rows.codes.map(column => column.map(code => Math.max(code, MISSING)))
  const count = rows.units.length
  const isPlaced = (row: number) => !isChain || rows.waves![row] >= 0
  const placed = Array.from({ length: count }, (_, row) => row).filter(isPlaced)
  const { units, unitCount } = numbered(rows.units, placed)
  const posteriors = new Float64Array(count * rank)
  const logLikelihoods = new Float64Array(count)
  const ownPosterior = (row: number) => posteriors.subarray(row * rank, (row + 1) * rank)
  let logLikelihood = 0
  for (let row = 0; row < count; row++) {
    if (units[row] >= 0) continue
    logLikelihoods[row] = posteriorInto(parameters, codes, row, ownPosterior(row))
    logLikelihood += logLikelihoods[row]
  }
  /** Classes of rows that stand alone; those of others come after. */
  const drawAlone = (uniform: () => number) =>
    Int32Array.from(units, (unit, row) => (unit < 0 ? drawer(ownPosterior(row))(uniform()) : 0))
  const drawOwn = (seed: number, draw: number) => drawAlone(random(seed, 'paths', draw).uniform)
  const none = { posteriors, logLikelihoods, logLikelihood, units, unitCount, draw: drawOwn }
  if (placed.length === 0) return { ...none, ...(isChain && { paths: [], waves: [] }) }
  const from = (column: Int32Array) => Int32Array.from(placed, row => column[row])
  const unitMode = new Mode(isChain ? structure.person : structure.within, unitLabels(rows, units, unitCount))
  const waves = isChain ? occurringWaves(from(rows.waves!), structure.waves.length) : undefined
  const times = isChain
    ? [
        new Mode(
          structure.time,
          waves!.occurring.map(wave => structure.waves[wave]),
        ),
      ]
    : []
  const given = linkCovariates(structure).flatMap((column, i) => {
    const values = rows.given?.[i]
    if (values === undefined) return []
    const own = placed.map(row => values[row])
    return [givenMode(column, own)]
  })
  const columns = [
    ...codes.map(from),
    from(units),
    ...(waves === undefined ? [] : [waves.codes]),
    ...given.map(({ indices }) => indices),
  ]
  const values = Float64Array.from(placed, row => (isChain ? 1 : Math.max(rows.counts?.[row] ?? 1, LEAST_COUNT)))
  const tensor = buildTensor(
    [...model.modes, unitMode, ...times, ...given.map(({ mode }) => new Mode(mode.name, mode.labels))],
    columns,
    values,
  )
  const data = placeRows(tensor, model, true)
  const { links, factors, tables } = placeLinks(model, data)
  const { starts, cells } = data.links.rows
  const emission = newEmission(data.items.cells, rank)
  emit({ rank, factors }, data.items.indices, emission)
  const sums = {
    cells: new Float64Array(data.items.cells * rank),
    tables: new Float64Array(links.size),
    rows: new Float64Array(cells.length * rank),
    units: new Float64Array(unitCount),
    ...(structure.kind === 'nested' && { groups: new Float64Array(unitCount * structure.groupSizes.length) }),
  }
  logLikelihood += links.expect(emission, tables, sums)
  // Units come in the order of their labels, which are their numbers.
  const linkedRow = new Int32Array(tensor.cells)
  data.sources.forEach((cell, at) => {
    if (cell !== MISSING) linkedRow[cell] = at
  })
  const positions = cellPositions(tensor, columns)
  placed.forEach((row, i) => {
    const at = linkedRow[positions[i]]
    const own = ownPosterior(row)
    logLikelihoods[row] = sums.units[units[row]]
    if (logLikelihoods[row] === Number.NEGATIVE_INFINITY) own.set(parameters.shares)
    else own.set(sums.rows.subarray(at * rank, (at + 1) * rank))
  })
  const found = { ...none, logLikelihood }
  if (!(links instanceof ChainLinks)) {
    const groups = sums.groups!
    const size = groups.length / unitCount
    const draw = (seed: number, number: number) => {
      const { uniform } = random(seed, 'paths', number)
      const classes = drawAlone(uniform)
      const ofGroup = Array.from({ length: unitCount }, (_, unit) =>
        drawer(groups.subarray(unit * size, (unit + 1) * size))(uniform()),
      )
      placed.forEach((row, i) => {
        const at = linkedRow[positions[i]]
        const from = links.mixesOf(at) + ofGroup[units[row]] * rank
        const cell = cells[at]
        const own = tables.slice(from, from + rank)
        if (cell !== MISSING) for (let k = 0; k < rank; k++) own[k] *= emission.weights[cell * rank + k]
        classes[row] = drawer(own)(uniform())
      })
      return classes
    }
    return { ...found, groups, draw }
  }
  const paths = links.paths(emission, tables)
  const each = Array.from({ length: unitCount }, (_, unit) => unit)
  return {
    ...found,
    paths: each.map(unit => paths.slice(starts[unit], starts[unit + 1])),
    draw: (seed, number) => {
      const { uniform } = random(seed, 'paths', number)
      const classes = drawAlone(uniform)
      const drawn = links.drawPaths(emission, tables, uniform)
      placed.forEach((row, i) => {
        classes[row] = drawn[linkedRow[positions[i]]]
      })
      return classes
    },
    waves: each.map(unit => sums.rows.slice(starts[unit] * rank, starts[unit + 1] * rank)),
  }
}

/** Numbers units in the order of their first rows; a row without a unit is one of its own, and one that is not placed has none. */
const numbered = (given: Int32Array, placed: readonly number[]) => {
  const units = new Int32Array(given.length).fill(-1)
  const known = new Map<number, number>()
  let unitCount = 0
  for (const row of placed) {
    const own = given[row] < 0 ? undefined : known.get(given[row])
    units[row] = own ?? unitCount++
    if (given[row] >= 0) known.set(given[row], units[row])
  }
  return { units, unitCount }
}

/** The labels of units: a row that nobody has is named by its number. */
const unitLabels = ({ names, units: given }: LinkableRows, units: Int32Array, count: number): number | string[] => {
  if (names === undefined) return count
  const labels = Array.from({ length: count }, (_, unit) => `(nobody) ${unit}`)
  units.forEach((unit, row) => {
    if (unit >= 0 && given[row] >= 0) labels[unit] = names(given[row])
  })
  return labels
}

/** The waves that occur, and each row's position among them: a mode has no labels that never occur. */
const occurringWaves = (waves: Int32Array, count: number) => {
  const occurring = Array.from({ length: count }, (_, wave) => wave).filter(wave => waves.includes(wave))
  const place = new Map(occurring.map((wave, at) => [wave, at]))
  return { occurring, codes: waves.map(wave => place.get(wave)!) }
}
