import { defined } from '../../defined.ts'
import { type StopSignal, throwIfStopped } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { type Card, type Room, STAGED } from './card.ts'
import { type CellPlan, orderBy, planByCells, planByMode, writeRecords } from './cells.ts'
import { MOST_RANK } from './shaders/geometry.ts'

/** Cells of a chunk on the card. */
export interface PlacedChunk {
  readonly mode: number
  readonly cells: Room
  readonly segments: Room
  readonly segmentCount: number
}

/** Cells whose posteriors are written down, where there are many modes: their records, and the orders and segments of all modes. */
export interface PlacedPart {
  readonly records: Room
  readonly cells: number
  readonly orders: Room
  readonly segments: Room
  readonly segmentCount: number
}

/** The cells of a tensor on the card. */
export interface PlacedCells {
  readonly plan: CellPlan
  /** Where there are few modes: every mode's own order of the cells. */
  readonly chunks: readonly PlacedChunk[]
  /** Where there are many. */
  readonly parts: readonly PlacedPart[]
  readonly heavy: Room
  /** For each row, 1 over its part of the data, and how much of the data it has. */
  readonly labels: Room
  /** What the values were divided by: a power of two. */
  readonly unit: number
  /** What the log-likelihood of independence has: Σ y·log of the labels' parts of the data. */
  readonly offset: number
  /** Bytes on the card. */
  readonly bytes: number
  free(): void
}

/** Up to this many modes every mode computes the posteriors anew; with more they are written down and read by every mode. */
export const FEW_MODES = 4

export const placeCells = async (card: Card, tensor: Tensor, signal?: StopSignal): Promise<PlacedCells> => {
  const few = tensor.shape.length <= FEW_MODES
  const width = few ? tensor.shape.length : tensor.shape.length + 1
  const most = Math.floor(card.mostBytes / (4 * (few ? width : Math.max(width, MOST_RANK))))
  const plan = few ? planByMode(tensor, most) : planByCells(tensor, Math.min(most, 2 ** 20))
  const unit = 2 ** Math.round(Math.log2(tensor.total / tensor.cells))
  const scaled = unit === 1 ? tensor : { ...pick(tensor), values: tensor.values.map(value => value / unit) }
  const rooms: Room[] = []
  const take = async (what: string, bytes: number) => {
    const [room] = await card.rooms(what, [bytes])
    rooms.push(room)
    return room
  }
  const place = async (data: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>) => {
    const room = await take('the data', data.byteLength)
    if (data.byteLength > 0) card.write(room, data)
    return room
  }
  /** The records of some cells, in pieces. */
  const records = async (from: number, cells: number, without?: number, order?: Uint32Array) => {
    const words = without === undefined ? width : tensor.shape.length
    const room = await take('the data', 4 * words * cells)
    const piece = Math.floor(STAGED / (4 * words))
    for (let at = 0; at < cells; at += piece) {
      await eventLoopTurn()
      throwIfStopped(signal)
      const count = Math.min(piece, cells - at)
      const setting = { from: from + at, cells: count, order, ...defined({ without }) }
      card.write(room, writeRecords(scaled, plan.rows, setting), 4 * words * at)
    }
    return room
  }
  try {
    const chunks: PlacedChunk[] = []
    const parts: PlacedPart[] = []
    if (few) {
      let ordered: { mode: number; order: Uint32Array } | undefined
      for (const { mode, from, cells, segments } of plan.chunks) {
        // The cells come sorted by the first mode, but what lacks it comes first there.
        if (ordered?.mode !== mode) ordered = { mode, order: orderBy(tensor.indices[mode], tensor.shape[mode]) }
        const room = await records(from, cells, mode, ordered.order)
        chunks.push({ mode, cells: room, segments: await place(segments), segmentCount: segments.length / 4 })
      }
    } else {
      for (const from of new Set(plan.chunks.map(chunk => chunk.from))) {
        const own = plan.chunks.filter(chunk => chunk.from === from)
        const { cells } = own[0]
        const orders = new Uint32Array(cells * own.length)
        const segments = new Uint32Array(own.reduce((sum, chunk) => sum + chunk.segments.length, 0))
        let at = 0
        own.forEach(({ mode, segments: some }, i) => {
          orders.set(orderBy(tensor.indices[mode].subarray(from, from + cells), tensor.shape[mode]), i * cells)
          segments.set(some, at)
          for (let s = at; s < at + some.length; s += 4) segments[s] += i * cells
          at += some.length
        })
        parts.push({
          records: await records(from, cells),
          cells,
          segmentCount: segments.length / 4,
          orders: await place(orders),
          segments: await place(segments),
        })
      }
    }
    const { labels, offset } = labelsOf(tensor, plan, unit)
    const heavy = await place(plan.heavy)
    return {
      plan,
      chunks,
      parts,
      heavy,
      labels: await place(labels),
      unit,
      offset,
      bytes: rooms.reduce((sum, { size }) => sum + size, 0),
      free: () => rooms.forEach(room => void room.destroy()),
    }
  } catch (error) {
    for (const room of rooms) room.destroy()
    throw error
  }
}

const pick = ({ shape, cells, indices, missing, total, marginals }: Tensor) => ({
  shape,
  cells,
  indices,
  missing,
  total,
  marginals,
})

const labelsOf = ({ shape, marginals, total }: Tensor, { rows }: CellPlan, unit: number) => {
  const labels = new Float32Array(2 * rows.count)
  let offset = 0
  shape.forEach((size, n) => {
    for (let label = 0, at = 2 * rows.first[n]; label < size; label++, at += 2) {
      const own = marginals[n][label]
      if (!(own > 0)) continue
      labels[at] = total / own
      labels[at + 1] = own / unit
      offset += own * log(own / total)
    }
  })
  return { labels, offset }
}
