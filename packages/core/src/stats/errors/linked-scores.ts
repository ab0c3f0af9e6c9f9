import { newStatistics, type Statistics } from '../../engine/engine.ts'
import type { LinkedSteps } from '../../engine/linked/linked-pass.ts'
import { LinkLogitPart } from '../../fit/covariates/link-logit.ts'
import { ChainLinks } from '../../model/links/chain.ts'
import { type Emission, emit, newEmission } from '../../model/links/emission.ts'
import { linksOf, singleUnit } from '../../model/links/link-kinds.ts'
import { freeDistributions } from '../../model/links/links.ts'
import { exp } from '../../numeric/exp.ts'
import type { Interruptible } from '../../numeric/interruptible.ts'
import { MISSING } from '../../tensor/mode.ts'
import { type FreeParameters, freeParameters, logDerivatives } from '../identification/free-parameters.ts'
import type { PlacedLinks } from '../model-data/placed-links.ts'

/** The step of a difference quotient in a logit, or relative to a parameter. */
const STEP = 1e-4

/** A distribution of a model of linked rows: the column of a class, or one of the tables of the links. */
interface Distribution {
  readonly values: Float64Array
  /** Of a table of the links: where it begins among them. */
  readonly first?: number
  /** Of a mode's column: the mode and the class. */
  readonly mode?: number
  readonly class?: number
}

/** What the E-step says of one unit: the posteriors of its rows, and the expected counts of its tables. */
interface ExpectedUnit {
  readonly posteriors: Float64Array
  readonly counts: Float64Array
  /** Where its tables are among those of all units; undefined if they are the same. */
  readonly entries: Int32Array | undefined
  readonly tables: Float64Array
}

/** The coefficients of covariates, and where they are among the parameters. */
export interface LogitCoefficients {
  readonly part: LinkLogitPart
  readonly coefficients: Float64Array
  readonly offset: number
}

/**
 * The free parameters of a model of linked rows: the logits of every distribution against its largest entry, then the parameters of items, and then the
 * coefficients of covariates. Scores and derivatives are by these.
 */
export class LinkedParameters {
  readonly found: PlacedLinks
  /** All distributions as the columns of a model with one class. */
  readonly free: FreeParameters
  readonly count: number
  readonly #distributions: readonly Distribution[]
  /** Where the entries of each distribution begin among all values. */
  readonly #offsets: readonly number[]
  /** Where each entry of the tables is among all values; below 0 if covariates explain it. */
  readonly #tableEntries: Int32Array
  readonly logits: readonly LogitCoefficients[]
  /** Where the parameters of each item begin. */
  readonly #itemOffsets: readonly number[]
  readonly #steps: LinkedSteps
  readonly #statistics: Statistics

  /** @param steps passes over the rows of the model */
  constructor(found: PlacedLinks, steps: LinkedSteps, boundary?: number) {
    const { rank, factors, items, links, tables, data } = found
    this.found = found
    this.#steps = steps
    this.#statistics = newStatistics(data.items.shape, rank)
    const ofModes = factors.flatMap((factor, mode) =>
      items[mode] === undefined
        ? Array.from({ length: rank }, (_, k) => ({ mode, class: k, values: columnOf(factor, rank, k) }))
        : [],
    )
    const ofLinks = freeDistributions(links).map(({ first, length }) => ({
      first,
      values: tables.slice(first, first + length),
    }))
    this.#distributions = [...ofModes, ...ofLinks]
    const columns = this.#distributions.map(({ values }) => values)
    this.free = freeParameters({ rank: 1, shares: Float64Array.of(1), factors: columns }, boundary)
    const offsets: number[] = []
    let next = 1
    for (const { values } of this.#distributions) {
      offsets.push(next)
      next += values.length
    }
    this.#offsets = offsets
    this.#tableEntries = new Int32Array(links.size).fill(-1)
    ofLinks.forEach(({ first, values }, i) => {
      for (let j = 0; j < values.length; j++) this.#tableEntries[first + j] = offsets[ofModes.length + i] + j
    })
    let last = this.free.count
    this.#itemOffsets = items.map(item => {
      last += item?.model.size ?? 0
      return last - (item?.model.size ?? 0)
    })
    this.logits = links.logits.map(link => {
      const part = new LinkLogitPart(link)
      last += part.size
      return { part, coefficients: part.coefficients(tables), offset: last - part.size }
    })
    this.count = last
  }

  /** The first coefficient of a covariate. */
  get firstCoefficient(): number {
    return this.logits[0]?.offset ?? this.count
  }

  /** Where a probability of a mode is among all values; undefined for items with parameters of their own. */
  valueOf(mode: number, label: number, of: number): number | undefined {
    const d = this.#distributions.findIndex(each => each.mode === mode && each.class === of)
    return d < 0 ? undefined : this.#offsets[d] + label
  }

  itemOffset(mode: number): number {
    return this.#itemOffsets[mode]
  }

  /** The model with one parameter moved by a step of its own, and the step. */
  #moved(parameter: number, sign: 1 | -1): { readonly moved: PlacedLinks; readonly step: number } {
    const { found } = this
    const { rank, factors, items, tables } = found
    if (parameter < this.free.count) {
      const { d, entry, moving } = this.#place(parameter)
      const own = this.#distributions[d]
      const values = own.values.slice()
      const sum = moving.reduce((all, i) => all + values[i], 0)
      values[entry] *= exp(sign * STEP)
      const now = moving.reduce((all, i) => all + values[i], 0)
      for (const i of moving) values[i] *= sum / now
      if (own.mode === undefined) {
        const next = tables.slice()
        next.set(values, own.first)
        return { moved: { ...found, tables: next }, step: STEP }
      }
      const factor = factors[own.mode].slice()
      for (let j = 0; j < values.length; j++) factor[j * rank + own.class!] = values[j]
      return { moved: { ...found, factors: factors.with(own.mode, factor) }, step: STEP }
    }
    const logit = this.logits.find(({ part, offset }) => parameter >= offset && parameter < offset + part.size)
    if (logit !== undefined) {
      const { part, coefficients, offset } = logit
      const moved = coefficients.slice()
      moved[parameter - offset] += sign * STEP
      const next = tables.slice()
      part.write(moved, next)
      return { moved: { ...found, tables: next }, step: STEP }
    }
    const mode = this.#itemOffsets.findLastIndex((offset, n) => items[n] !== undefined && offset <= parameter)
    const item = items[mode]!
    const at = parameter - this.#itemOffsets[mode]
    const step = STEP * (item.model.positive[at] ? item.theta[at] : item.model.moments(item.theta, 0).sd)
    const theta = item.theta.slice()
    theta[at] += sign * step
    const factor = new Float64Array(factors[mode].length)
    item.model.table(theta, factor)
    return {
      moved: { ...found, factors: factors.with(mode, factor), items: items.with(mode, { ...item, theta }) },
      step,
    }
  }

  /** The distribution of a free logit, its entry, and all entries that move. */
  #place(parameter: number): { readonly d: number; readonly entry: number; readonly moving: readonly number[] } {
    let before = 0
    for (const { mode, moving } of this.free.columns) {
      const own = Math.max(0, moving.length - 1)
      if (parameter < before + own) {
        const first = this.#offsets[mode]
        return { d: mode, entry: moving[parameter - before] - first, moving: moving.map(at => at - first) }
      }
      before += own
    }
    throw new RangeError('there are fewer free parameters')
  }

  /** The derivatives of all functions of the model by every parameter, by differences: functions × parameters. */
  derivativesOf(functions: (model: PlacedLinks) => Float64Array): Float64Array {
    const size = functions(this.found).length
    const map = new Float64Array(size * this.count)
    for (let p = 0; p < this.count; p++) {
      const [above, below] = [this.#moved(p, 1), this.#moved(p, -1)]
      const [high, low] = [functions(above.moved), functions(below.moved)]
      for (let i = 0; i < size; i++) map[i * this.count + p] = (high[i] - low[i]) / (2 * above.step)
    }
    return map
  }

  /** The slope of the log-likelihood at a model by the parameters. */
  #slope(at: PlacedLinks): Float64Array {
    const { rank, links } = at
    const sums = { tables: new Float64Array(links.size) }
    this.#steps.expect(at, at.tables, sums)
    this.#steps.collect(this.#statistics)
    const counts = this.#statistics.factors
    const slope = new Float64Array(this.count)
    let parameter = 0
    for (const { mode: d, moving } of this.free.columns) {
      if (moving.length === 0) continue
      const { mode, class: k } = this.#distributions[d]
      const first = this.#offsets[d]
      const table = this.#distributions[d].first!
      const countOf = (entry: number) =>
        mode === undefined ? sums.tables[table + entry] : counts[mode][entry * rank + k!]
      const probabilityOf = (entry: number) =>
        mode === undefined ? at.tables[table + entry] : at.factors[mode][entry * rank + k!]
      const entries = moving.map(position => position - first)
      const [mass, sum] = [
        entries.reduce((all, i) => all + countOf(i), 0),
        entries.reduce((all, i) => all + probabilityOf(i), 0),
      ]
      for (const entry of entries.slice(0, -1))
        slope[parameter++] = countOf(entry) - (mass * probabilityOf(entry)) / sum
    }
    at.items.forEach((item, n) => {
      if (item === undefined) return
      const own = slope.subarray(this.#itemOffsets[n], this.#itemOffsets[n] + item.model.size)
      item.model.slope(item.theta, counts[n], own)
    })
    for (const { part, offset } of this.logits)
      part.slope(sums.tables, at.tables, slope.subarray(offset, offset + part.size))
    return slope
  }

  /** The slope at the model itself. */
  gradient(): Float64Array {
    return this.#slope(this.found)
  }

  /** The observed information: the second derivatives with their sign changed, by differences of the slopes. */
  *observed(): Interruptible<Float64Array> {
    const { count } = this
    const matrix = new Float64Array(count * count)
    for (let p = 0; p < count; p++) {
      yield this.found.data.links.rows.cells.length * count
      const [above, below] = [this.#moved(p, 1), this.#moved(p, -1)]
      const [high, low] = [this.#slope(above.moved), this.#slope(below.moved)]
      for (let q = 0; q < count; q++) matrix[q * count + p] = (low[q] - high[q]) / (2 * above.step)
    }
    for (let p = 0; p < count; p++)
      for (let q = 0; q < p; q++) {
        const mean = (matrix[p * count + q] + matrix[q * count + p]) / 2
        matrix[p * count + q] = mean
        matrix[q * count + p] = mean
      }
    return matrix
  }

  /**
   * The sum over units of the outer products of their scores.
   * @param squared whether the weights are sampling weights, which enter as squares; else they say how often a unit was seen
   */
  *outer(squared: boolean): Interruptible<Float64Array> {
    const { count, found } = this
    const { rank, data } = found
    const { items, links: setting } = data
    const { rows } = setting
    const emission = newEmission(items.cells, rank)
    emit(found, items.indices, emission)
    const ofValues = logDerivatives(this.free)
    const size = this.free.values.length
    /** The free parameters that a value depends on, and how. */
    const sparse = Array.from({ length: size }, (_, at) => {
      const places: number[] = []
      for (let p = 0; p < this.free.count; p++) if (ofValues[p * size + at] !== 0) places.push(p)
      return { places, slopes: places.map(p => ofValues[p * size + at]) }
    })
    const ofMode = found.factors.map((factor, n) =>
      found.items[n] === undefined
        ? Array.from(factor, (_, i) => this.valueOf(n, Math.floor(i / rank), i % rank)!)
        : undefined,
    )
    const itemScores = found.items.map(item => item?.model.scores(item.theta))
    const matrix = new Float64Array(count * count)
    const score = new Float64Array(count)
    const add = (value: number, at: number) => {
      const { places, slopes } = sparse[at]
      for (let i = 0; i < places.length; i++) score[places[i]] += value * slopes[i]
    }
    const expected = this.#expectedOf(emission)
    for (let unit = 0; unit + 1 < rows.starts.length; unit++) {
      if (unit % 1024 === 0) yield count * count * 1024
      const [first, end] = [rows.starts[unit], rows.starts[unit + 1]]
      const { posteriors, counts, entries, tables } = expected(unit)
      score.fill(0)
      counts.forEach((value, i) => {
        const at = this.#tableEntries[entries?.[i] ?? i]
        if (value !== 0 && at >= 0) add(value, at)
      })
      if (entries !== undefined) this.#addEffects(score, entries, tables, counts)
      for (let row = first; row < end; row++) {
        const cell = rows.cells[row]
        if (cell === MISSING) continue
        for (let n = 0; n < items.indices.length; n++) {
          const label = items.indices[n][cell]
          if (label === MISSING) continue
          for (let k = 0; k < rank; k++) {
            const posterior = posteriors[(row - first) * rank + k]
            const at = ofMode[n]?.[label * rank + k]
            if (at !== undefined) add(posterior, at)
            else {
              const { rows: places, scores } = itemScores[n]![k]
              places.forEach((place, i) => {
                score[this.#itemOffsets[n] + place] += posterior * scores[label * places.length + i]
              })
            }
          }
        }
      }
      const weight = squared ? (rows.squares?.[unit] ?? rows.weights[unit] ** 2) : rows.weights[unit]
      for (let p = 0; p < count; p++) {
        if (score[p] === 0) continue
        const factor = weight * score[p]
        for (let q = 0; q <= p; q++) matrix[p * count + q] += factor * score[q]
      }
    }
    for (let p = 0; p < count; p++) for (let q = 0; q < p; q++) matrix[q * count + p] = matrix[p * count + q]
    return matrix
  }

  /** The E-step of one unit after the other, as if each were seen once. What it gives is overwritten by the next. */
  #expectedOf(emission: Emission): (unit: number) => ExpectedUnit {
    const { rank, data, tables, links } = this.found
    const { links: setting } = data
    const { rows } = setting
    if (links instanceof ChainLinks && links.logits.length === 0 && setting.kind === 'chain') {
      const once = { ...setting, rows: { ...rows, weights: new Float64Array(rows.weights.length).fill(1) } }
      const chain = new ChainLinks(once, rank)
      const sums = {
        cells: new Float64Array(emission.weights.length),
        tables: new Float64Array(links.size),
        rows: new Float64Array(rows.cells.length * rank),
      }
      return unit => {
        sums.tables.fill(0)
        chain.expect(emission, tables, sums, unit, unit + 1)
        const posteriors = sums.rows.subarray(rows.starts[unit] * rank, rows.starts[unit + 1] * rank)
        return { posteriors, counts: sums.tables, entries: undefined, tables }
      }
    }
    return unit => {
      const [first, end] = [rows.starts[unit], rows.starts[unit + 1]]
      const own = singleUnit(setting, unit, rank)
      const { entries } = own
      const local = newEmission(end - first, rank)
      for (let row = first; row < end; row++) {
        const cell = rows.cells[row]
        if (cell === MISSING) continue
        local.weights.set(emission.weights.subarray(cell * rank, (cell + 1) * rank), (row - first) * rank)
        local.exponents[row - first] = emission.exponents[cell]
      }
      const ownTables = entries === undefined ? tables : Float64Array.from(entries, i => tables[i])
      const sums = { cells: new Float64Array((end - first) * rank), tables: new Float64Array(ownTables.length) }
      linksOf(own.setting, rank).expect(local, ownTables, sums)
      return { posteriors: sums.cells, counts: sums.tables, entries, tables: ownTables }
    }
  }

  /** What the tables of one unit add to its score by the coefficients: the part of each entry that was not expected, times the terms. */
  #addEffects(score: Float64Array, entries: Int32Array, tables: Float64Array, counts: Float64Array): void {
    for (const { part, offset } of this.logits) {
      const { first, stride, length, design } = part.link
      const { width, values, patterns } = design
      for (let i = 0; i < entries.length; i++) {
        const from = entries[i] - first
        const z = Math.floor(from / stride)
        if (from < 0 || from % stride !== 0 || z >= patterns) continue
        let mass = 0
        for (let k = 0; k < length; k++) mass += counts[i + k]
        if (mass === 0) continue
        for (let k = 1; k < length; k++) {
          const slope = counts[i + k] - mass * tables[i + k]
          const at = offset + (k - 1) * width
          for (let p = 0; p < width; p++) score[at + p] += slope * values[z * width + p]
        }
      }
    }
  }
}

const columnOf = (factor: Float64Array, rank: number, k: number): Float64Array =>
  Float64Array.from({ length: factor.length / rank }, (_, j) => factor[j * rank + k])
