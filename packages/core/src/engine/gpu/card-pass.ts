import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Statistics } from '../engine.ts'
import { type Card, type Dispatch, type Room, STAGED } from './card.ts'
import type { PlacedCells } from './placed-cells.ts'
import { BLOCK_WORKGROUP } from './shaders/blocks.ts'
import { type Geometry, geometryOf } from './shaders/geometry.ts'
import { WORKGROUP } from './shaders/lanes.ts'
import { gatherShader, passShader, posteriorShader } from './shaders/pass.ts'
import { LOG_SUMS, logShader, rowSumShader } from './shaders/sums.ts'

/** The shape of a tensor's model on the card. */
type Shaped = Pick<Tensor, 'shape' | 'total'>

/** Blocks of rows of one mode that one workgroup goes through, enough of them to keep the card busy. */
export interface Blocks {
  readonly count: number
  /** Four words each: first row, rows, mode, nothing. */
  readonly words: Uint32Array<ArrayBuffer>
  /** For each mode its first block, and how many it has. */
  readonly ofMode: readonly { readonly first: number; readonly count: number }[]
}

/** How many blocks there should be at least, and how often a workgroup goes round at most. */
const BUSY = { blocks: 1024, rounds: 64 }

export const blocksOf = ({ shape }: Shaped, { rows }: PlacedCells['plan'], { stride }: Geometry): Blocks => {
  const atOnce = Math.floor(BLOCK_WORKGROUP / stride)
  const rounds = Math.max(1, Math.min(BUSY.rounds, Math.floor(rows.count / (atOnce * BUSY.blocks))))
  const words: number[] = []
  const ofMode = shape.map((labels, mode) => {
    const first = words.length / 4
    for (let at = 0; at < labels; at += atOnce * rounds)
      words.push(rows.first[mode] + at, Math.min(atOnce * rounds, labels - at), mode, 0)
    return { first, count: words.length / 4 - first }
  })
  return { count: words.length / 4, words: Uint32Array.from(words), ofMode }
}

/** What a pass of one rank needs on the card: the table that it reads, the sums that it writes, and its steps in order. */
export class CardPass {
  readonly geometry: Geometry
  readonly blocks: Blocks
  readonly table: Room
  readonly shares: Room
  readonly sums: Room
  readonly logs: Room
  readonly blockList: Room
  readonly found: Room
  /** Where in `logs` those of the rows begin. */
  readonly logsOfRows: number
  readonly steps: readonly Dispatch[]
  readonly #card: Card
  readonly #tensor: Shaped
  readonly #placed: PlacedCells
  readonly #rooms: readonly Room[]

  private constructor(
    card: Card,
    tensor: Shaped,
    placed: PlacedCells,
    geometry: Geometry,
    parts: Pick<
      CardPass,
      'blocks' | 'table' | 'shares' | 'sums' | 'logs' | 'blockList' | 'found' | 'logsOfRows' | 'steps'
    >,
    rooms: readonly Room[],
  ) {
    this.#card = card
    this.#tensor = tensor
    this.#placed = placed
    this.#rooms = rooms
    this.geometry = geometry
    this.blocks = parts.blocks
    this.table = parts.table
    this.shares = parts.shares
    this.sums = parts.sums
    this.logs = parts.logs
    this.blockList = parts.blockList
    this.found = parts.found
    this.logsOfRows = parts.logsOfRows
    this.steps = parts.steps
  }

  static async open(card: Card, tensor: Tensor, placed: PlacedCells, rank: number): Promise<CardPass> {
    const geometry = geometryOf(rank, card.lanes)
    const { plan } = placed
    const row = 16 * geometry.stride
    const blocks = blocksOf(tensor, plan, geometry)
    const cells = Math.max(0, ...placed.parts.map(part => part.cells))
    const segments = placed.chunks.reduce((sum, { mode, segmentCount }) => sum + (mode === 0 ? segmentCount : 0), 0)
    const logsOfRows = segments + placed.parts.reduce((sum, part) => sum + part.cells, 0)
    const what = `a pass of ${rank} ${rank === 1 ? 'class' : 'classes'}`
    const rooms = await card.rooms(what, [
      row * plan.rows.count,
      row,
      row * (plan.rows.count + plan.extra),
      8 * (logsOfRows + blocks.count),
      16 * blocks.count,
      16 * LOG_SUMS,
      row * cells,
    ])
    const [table, shares, sums, logs, blockList, found, posteriors] = rooms
    card.write(blockList, blocks.words)
    // A label that is missing multiplies by 1.
    const ones = new Float32Array(4 * geometry.stride).fill(1)
    for (const missing of plan.rows.missing) if (missing >= 0) card.write(table, ones, row * missing)
    const job = (...words: number[]) => {
      const uniform = card.uniform(16)
      uniforms.push(uniform)
      card.write(uniform, Uint32Array.from([...words, 0, 0, 0, 0].slice(0, 4)))
      return uniform
    }
    const uniforms: GPUBuffer[] = []
    const groups = (count: number) => Math.ceil((count * geometry.lanes) / WORKGROUP)
    const steps: Dispatch[] = []
    let logged = 0
    const modes = tensor.shape.length
    for (const { mode, cells, segments, segmentCount } of placed.chunks) {
      const first = mode === 0
      const code = passShader(geometry, modes, first)
      const bound = { 0: table, 1: cells, 2: segments, 3: shares, 4: sums, 6: job(segmentCount, logged) }
      steps.push(await card.step(code, first ? { ...bound, 5: logs } : bound, groups(segmentCount)))
      if (first) logged += segmentCount
    }
    for (const part of placed.parts) {
      const bound = { 0: table, 1: part.records, 3: shares, 4: posteriors, 5: logs, 6: job(part.cells, logged) }
      steps.push(await card.step(posteriorShader(geometry, modes), bound, groups(part.cells)))
      logged += part.cells
      const { orders, segments, segmentCount } = part
      const gathered = { 0: posteriors, 1: orders, 2: segments, 4: sums, 6: job(segmentCount) }
      steps.push(await card.step(gatherShader(geometry), gathered, groups(segmentCount)))
    }
    const heavy = plan.heavy.length / 4
    if (heavy > 0)
      steps.push(await card.step(rowSumShader(geometry), { 0: placed.heavy, 1: sums, 2: job(heavy) }, heavy))
    const logJob = job(logsOfRows + blocks.count)
    steps.push(await card.step(logShader(), { 0: logs, 1: found, 2: logJob }, LOG_SUMS))
    const parts = { blocks, table, shares, sums, logs, blockList, found, logsOfRows, steps }
    return new CardPass(card, tensor, placed, geometry, parts, [...rooms, ...uniforms])
  }

  get rank(): number {
    return this.geometry.rank
  }

  setShares(shares: Float64Array): void {
    const padded = new Float32Array(4 * this.geometry.stride)
    padded.set(shares)
    this.#card.write(this.shares, padded)
  }

  /** Puts parameters into the table, and gives what the rows' scales add to the log-likelihood. */
  setTable({ rank, shares, factors }: Parameters, marginals: readonly Float64Array[]): number {
    const { stride } = this.geometry
    const { rows } = this.#placed.plan
    this.setShares(shares)
    let offset = 0
    const width = 4 * stride
    factors.forEach((factor, n) => {
      const labels = this.#tensor.shape[n]
      const piece = Math.max(1, Math.floor(STAGED / (4 * width)))
      for (let from = 0; from < labels; from += piece) {
        const count = Math.min(piece, labels - from)
        const table = new Float32Array(count * width)
        for (let label = 0; label < count; label++) {
          const at = (from + label) * rank
          let most = 0
          for (let k = 0; k < rank; k++) most = Math.max(most, factor[at + k])
          if (!(most > 0)) continue
          for (let k = 0; k < rank; k++) table[label * width + k] = factor[at + k] / most
          const own = marginals[n][from + label]
          if (own > 0) offset += own * log(most)
        }
        this.#card.write(this.table, table, 4 * width * (rows.first[n] + from))
      }
    })
    return offset
  }

  /** Forgets the logarithms of rows, where the table was made by `setTable`. */
  clearRowLogs(): void {
    this.#card.write(this.logs, new Float32Array(2 * this.blocks.count), 8 * this.logsOfRows)
  }

  /** The log-likelihood, less its offsets, from what the card has found. */
  logOf(found: Float32Array): number {
    let [sum, impossible] = [0, 0]
    for (let i = 0; i < LOG_SUMS; i++) {
      sum += found[4 * i] + found[4 * i + 1]
      impossible += found[4 * i + 2]
    }
    return impossible > 0 || !Number.isFinite(sum) ? Number.NEGATIVE_INFINITY : sum * this.#placed.unit
  }

  /** Brings the sums back as statistics. */
  async statistics(into: Statistics): Promise<void> {
    const { stride } = this.geometry
    const { rows } = this.#placed.plan
    const { unit } = this.#placed
    const width = 4 * stride
    const all = await this.#card.download(this.sums, 4 * width * rows.count)
    const { rank, sizes, factors } = into
    sizes.fill(0)
    factors.forEach((factor, n) => {
      const labels = this.#tensor.shape[n]
      for (let label = 0; label < labels; label++) {
        const from = (rows.first[n] + label) * width
        for (let k = 0; k < rank; k++) factor[label * rank + k] = all[from + k] * unit
      }
    })
    for (let label = 0; label < this.#tensor.shape[0]; label++)
      for (let k = 0; k < rank; k++) sizes[k] += factors[0][label * rank + k]
    const missing = rows.missing[0]
    if (missing >= 0) for (let k = 0; k < rank; k++) sizes[k] += all[missing * width + k] * unit
  }

  free(): void {
    for (const room of this.#rooms) room.destroy()
  }
}
