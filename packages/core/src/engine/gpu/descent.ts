import type { Parameters } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { PlacedDescent } from '../placed-descent.ts'
import type { StepSums } from '../sweeps/sweeps.ts'
import type { Card, Dispatch, Room } from './card.ts'
import type { CardPass } from './card-pass.ts'
import { type Dots, Gram, type SharesAt } from './gram.ts'
import type { PlacedCells } from './placed-cells.ts'
import {
  aimShader,
  combineShader,
  dotShader,
  followShader,
  learnShader,
  OWN_DOTS,
  PAIR_DOTS,
  PAIRS_AT_ONCE,
  prepareShader,
  residualShader,
  valuesShader,
  walkShader,
} from './shaders/steps.ts'
import { columnShader, LOG_SUMS, rowSumShader } from './shaders/sums.ts'

type Which = 0 | 1

/** A step that was made, and what the card has found of it; it becomes a pair if the descent takes it. */
interface Trial {
  readonly from: Which
  readonly to: Which
  readonly dots: Dots
}

/** Where parts of the columns' buffer begin, in modes: the sums of either point, and those of a step. */
const WALKED = 2

/**
 * A descent whose arrays lie on the card: two points, the pairs of steps and changes of the gradient, the direction. A step and the pass after it
 * are handed over together, and one small piece of memory comes back: the log-likelihood, the shares, and inner products for each class.
 */
export class CardDescent implements PlacedDescent {
  readonly rank: number
  readonly pairs: number
  readonly #card: Card
  readonly #tensor: Tensor
  readonly #placed: PlacedCells
  readonly #pass: CardPass
  readonly #points: readonly Room[]
  readonly #columns: Room
  readonly #gradient: Room
  readonly #direction: Room
  readonly #dots: Room
  readonly #lists: { readonly modes: Room; readonly dots: Room }
  readonly #metric: Room
  readonly #staging: GPUBuffer
  #gram: Gram
  readonly #kernels: Kernels
  readonly #shares: { values: Float64Array; update: Float64Array }[]
  /** Whether the values of a point are still to be divided by their column sums. */
  readonly #walked = [false, false]
  readonly #known = [false, false]
  /** The pairs on the card: the last is the one that is written next. */
  readonly #rooms: Room[] = []
  /** Which of them each pair of the descent is. */
  readonly #slots = new Map<number, Room>()
  #live: readonly number[] = []
  #trial: Trial | undefined
  #aimed = false
  #queue: Dispatch[] = []
  readonly #uniforms: GPUBuffer[] = []

  private constructor(parts: {
    card: Card
    tensor: Tensor
    placed: PlacedCells
    pass: CardPass
    pairs: number
    rooms: Room[]
    kernels: Kernels
  }) {
    const { card, tensor, placed, pass, pairs, kernels } = parts
    const [first, second, columns, gradient, direction, dots, modes, dotLists, metric] = parts.rooms
    this.rank = pass.rank
    this.pairs = pairs
    this.#card = card
    this.#tensor = tensor
    this.#placed = placed
    this.#pass = pass
    this.#points = [first, second]
    this.#columns = columns
    this.#gradient = gradient
    this.#direction = direction
    this.#dots = dots
    this.#lists = { modes, dots: dotLists }
    this.#metric = metric
    this.#kernels = kernels
    this.#gram = new Gram(pass.rank)
    this.#staging = card.staging(16 * LOG_SUMS + this.#row * (2 + quantities(pairs)))
    const zeros = () => new Float64Array(pass.rank)
    this.#shares = [0, 1].map(() => ({ values: zeros(), update: zeros() }))
  }

  static async open(
    card: Card,
    tensor: Tensor,
    placed: PlacedCells,
    pass: CardPass,
    pairs: number,
  ): Promise<CardDescent> {
    const { geometry, blocks } = pass
    const row = 16 * geometry.stride
    const size = row * placed.plan.rows.count
    const modes = tensor.shape.length
    const all = quantities(pairs)
    const what = `a descent of ${pass.rank} classes`
    const rooms = await card.rooms(what, [
      ...[2 * size, 2 * size],
      row * ((WALKED + 1) * modes + blocks.count),
      ...[size, size],
      row * all * (blocks.count + 1),
      ...[16 * modes, 16 * all, row],
    ])
    const lists = blocks.ofMode.map(({ first, count }, n) => [n, (WALKED + 1) * modes + first, count, 0])
    card.write(rooms[6], Uint32Array.from(lists.flat()))
    const dotLists = Array.from({ length: all }, (_, q) => [all * blocks.count + q, q * blocks.count, blocks.count, 0])
    card.write(rooms[7], Uint32Array.from(dotLists.flat()))
    const kernels = await kernelsOf(card, pass)
    return new CardDescent({ card, tensor, placed, pass, pairs, rooms, kernels })
  }

  get #row(): number {
    return 16 * this.#pass.geometry.stride
  }

  shares(which: Which): Float64Array {
    return this.#shares[which].values
  }

  begin(which: Which, { rank, shares, factors }: Parameters): void {
    const width = 4 * this.#pass.geometry.stride
    const { rows } = this.#placed.plan
    const sum = shares.reduce((total, share) => total + share, 0)
    this.#shares[which].values = shares.map(share => share / sum)
    factors.forEach((factor, n) => {
      const labels = this.#tensor.shape[n]
      const piece = Math.max(1, Math.floor(STAGED / (8 * width)))
      for (let from = 0; from < labels; from += piece) {
        const count = Math.min(piece, labels - from)
        const values = new Float32Array(2 * count * width)
        for (let label = 0; label < count; label++) {
          for (let k = 0; k < rank; k++) {
            // Values and update take turns, four classes at a time.
            values[2 * (label * width + (k & ~3)) + (k & 3)] = factor[(from + label) * rank + k]
          }
        }
        this.#card.write(this.#points[which], values, 8 * width * (rows.first[n] + from))
      }
    })
    this.#forget()
  }

  /** Forgets what was learned from another start. */
  #forget(): void {
    this.#walked.fill(false)
    this.#known.fill(false)
    this.#queue = []
    this.#rooms.push(...this.#slots.values())
    this.#slots.clear()
    this.#live = []
    this.#trial = undefined
    this.#gram = new Gram(this.rank)
  }

  follow(from: Which, to: Which): void {
    this.#shares[to].values = this.#shares[from].update.slice()
    this.#queue = [this.#step('follow', { 0: this.#points[from], 1: this.#points[to], 2: this.#blocks }, [this.#count])]
    this.#walked[to] = false
    this.#known[to] = false
  }

  async pass(which: Which): Promise<number> {
    const { geometry, blocks, steps } = this.#pass
    const modes = this.#tensor.shape.length
    const other = (1 - which) as Which
    const after = this.pairs > 0 && this.#known[other]
    this.#pass.setShares(this.#shares[which].values)
    const point = this.#points[which]
    const prepared = this.#step(
      this.#walked[which] ? 'divide' : 'prepare',
      { 0: point, 1: this.#columns, 2: this.#placed.labels, 3: this.#pass.table, 4: this.#pass.logs, 5: this.#blocks },
      [this.#count, WALKED * modes, this.#pass.logsOfRows],
    )
    const work = [...this.#queue, prepared, ...steps, ...this.#columnSums(this.#pass.sums, which)]
    const per = [this.#placed.unit / this.#tensor.total]
    const learned = { 0: this.#pass.sums, 1: point, 3: this.#columns, 5: this.#gradient, 6: this.#blocks }
    const used: number[] = []
    if (after) {
      const pair = await this.#spare()
      const bound = { ...learned, 2: this.#points[other], 4: pair }
      work.push(this.#step('learn', bound, [this.#count, which * modes, other * modes, 0], per))
      used.push(...this.#live.filter(slot => this.#slots.has(slot)))
      work.push(...this.#dotSteps(pair, used))
    } else work.push(this.#step('first', learned, [this.#count, which * modes, 0, 0], per))
    this.#queue = []
    const row = this.#row
    const found = after ? OWN_DOTS.length + PAIR_DOTS.length * roundUp(used.length, PAIRS_AT_ONCE) : 0
    const missing = this.#placed.plan.rows.missing[0]
    const logs = 16 * LOG_SUMS
    const to = this.#staging
    this.#card.submit(work, [
      { from: this.#pass.found, at: 0, bytes: logs, to, into: 0 },
      { from: this.#columns, at: row * which * modes, bytes: row, to, into: logs },
      ...(missing >= 0 ? [{ from: this.#pass.sums, at: row * missing, bytes: row, to, into: logs + row }] : []),
      ...(found > 0
        ? [
            {
              from: this.#dots,
              at: row * quantities(this.pairs) * blocks.count,
              bytes: row * found,
              to,
              into: logs + 2 * row,
            },
          ]
        : []),
    ])
    this.#walked[which] = false
    const read = await this.#card.read(to, logs + row * (2 + found))
    const at = (index: number, k: number) => read[logs / 4 + 4 * geometry.stride * index + k]
    const scale = this.#placed.unit / this.#tensor.total
    for (let k = 0; k < this.rank; k++)
      this.#shares[which].update[k] = (at(0, k) + (missing >= 0 ? at(1, k) : 0)) * scale
    const row64 = (index: number) => Float64Array.from({ length: this.rank }, (_, k) => at(2 + index, k))
    this.#trial = after ? { from: other, to: which, dots: dotsOf(used, row64) } : undefined
    this.#known[which] = true
    return this.#pass.logOf(read) + this.#placed.offset
  }

  async residual(which: Which): Promise<number> {
    const { blocks, geometry } = this.#pass
    const modes = this.#tensor.shape.length
    const bound = { 0: this.#points[which], 1: this.#columns, 2: this.#blocks, 3: this.#dots }
    const per = [this.#placed.unit / this.#tensor.total]
    this.#card.submit([this.#step('residual', bound, [this.#count, which * modes, 0, 0], per)])
    const worst = await this.#card.download(this.#dots, 16 * geometry.stride * blocks.count)
    const { values, update } = this.#shares[which]
    const own = values.map((value, k) => (value > 0 ? Math.abs(Math.min(value, 1 - update[k] / value)) : 0))
    return Math.max(own.reduce((most, each) => Math.max(most, each), 0), worst.reduce((most, each) => Math.max(most, each), 0)) // biome-ignore format: one expression
  }

  async read(which: Which): Promise<Parameters> {
    const { stride } = this.#pass.geometry
    const { rows } = this.#placed.plan
    const bound = { 0: this.#points[which], 1: this.#direction, 2: this.#blocks }
    this.#card.submit([this.#step('values', bound, [this.#count])])
    this.#aimed = false
    const all = await this.#card.download(this.#direction, 16 * stride * rows.count)
    const { rank } = this
    const factors = this.#tensor.shape.map((labels, n) => {
      const factor = new Float64Array(labels * rank)
      const sums = new Float64Array(rank)
      for (let label = 0; label < labels; label++) {
        const at = 4 * stride * (rows.first[n] + label)
        for (let k = 0; k < rank; k++) {
          factor[label * rank + k] = all[at + k]
          sums[k] += all[at + k]
        }
      }
      // What single precision made of a sum of 1.
      for (let i = 0; i < factor.length; i++) if (sums[i % rank] > 0) factor[i] /= sums[i % rank]
      return factor
    })
    return { rank, shares: this.#shares[which].values.slice(), factors }
  }

  goTo(to: Which, pair: number, used: readonly number[], slopes: Float64Array): StepSums {
    const trial = this.#trial
    // The point where a step began: what it was is known from the step itself.
    if (trial === undefined || trial.to !== to) return { curvature: 0, steps: 0, changes: 0 }
    const room = this.#rooms.pop()!
    const old = this.#slots.get(pair)
    if (old !== undefined) this.#rooms.push(old)
    this.#slots.set(pair, room)
    this.#trial = undefined
    this.#live = [...used, pair]
    const [from, at]: SharesAt[] = [this.#shares[trial.from], this.#shares[to]]
    return this.#gram.goTo(from, at, pair, trial.dots, used, slopes)
  }

  addChanges(
    shares: Float64Array,
    scale: number,
    used: readonly number[],
    factors: Float64Array,
    products: Float64Array,
  ): number {
    this.#aimed = false
    return this.#gram.addChanges(shares, scale, used, factors, products)
  }

  addSteps(used: readonly number[], factors: Float64Array): number {
    return this.#gram.addSteps(used, factors)
  }

  walk(length: number, from: Which, to: Which): boolean {
    const shares = this.#gram.walk(length, this.#shares[from])
    if (shares === undefined) return false
    this.#shares[to].values = shares
    const work = this.#aimed ? [] : this.#aim(from)
    this.#aimed = true
    const bound = { 0: this.#points[from], 1: this.#direction, 2: this.#points[to], 3: this.#blocks, 4: this.#columns }
    const modes = this.#tensor.shape.length
    work.push(this.#step('walk', bound, [this.#count, (WALKED + 1) * modes, 0, 0], [length]))
    work.push(this.#totals(WALKED))
    this.#queue = work
    this.#walked[to] = true
    this.#known[to] = false
    return true
  }

  free(): void {
    for (const room of [...this.#points, this.#columns, this.#gradient, this.#direction, this.#dots]) room.destroy()
    for (const room of [this.#lists.modes, this.#lists.dots, this.#metric, ...this.#rooms, ...this.#slots.values()])
      room.destroy()
    for (const uniform of this.#uniforms) uniform.destroy()
    this.#staging.destroy()
  }

  get #blocks(): Room {
    return this.#pass.blockList
  }

  get #count(): number {
    return this.#pass.blocks.count
  }

  /** The direction on the card, from its recipe. */
  #aim(from: Which): Dispatch[] {
    const { inverse, changes, steps } = this.#gram.recipe
    const metric = new Float32Array(4 * this.#pass.geometry.stride)
    metric.set(inverse)
    this.#card.write(this.#metric, metric)
    const modes = this.#tensor.shape.length
    const per = [this.#placed.unit / this.#tensor.total]
    const bound = { 0: this.#points[from], 1: this.#columns, 2: this.#metric, 3: this.#direction, 4: this.#blocks }
    const work = [this.#step('aim', bound, [this.#count, from * modes, 0, 0], per)]
    const slots = [...new Set([...changes.keys(), ...steps.keys()])]
    for (let at = 0; at < slots.length; at += PAIRS_AT_ONCE) {
      const some = slots.slice(at, at + PAIRS_AT_ONCE)
      const four = (factors: ReadonlyMap<number, number>) =>
        Array.from({ length: PAIRS_AT_ONCE }, (_, j) => (some[j] === undefined ? 0 : (factors.get(some[j]) ?? 0)))
      work.push(
        this.#step(
          'combine',
          { 0: this.#direction, 1: this.#metric, ...this.#bound(some), 6: this.#blocks },
          [this.#count, 0, 0, 0],
          [...four(changes), ...four(steps)],
        ),
      )
    }
    return work
  }

  /** Pairs in the places of a kernel; where there are too few, the first again. */
  #bound(slots: readonly number[]): Record<number, Room> {
    const rooms = Array.from({ length: PAIRS_AT_ONCE }, (_, j) => this.#slots.get(slots[j] ?? slots[0])!)
    return Object.fromEntries(rooms.map((room, j) => [2 + j, room]))
  }

  #dotSteps(pair: Room, used: readonly number[]): Dispatch[] {
    const bound = { 0: pair, 1: this.#gradient, 6: this.#blocks, 7: this.#dots }
    const work = [this.#step('ownDots', bound, [this.#count, 0])]
    let count = OWN_DOTS.length
    for (let at = 0; at < used.length; at += PAIRS_AT_ONCE) {
      const some = this.#bound(used.slice(at, at + PAIRS_AT_ONCE))
      work.push(this.#step('dots', { ...bound, ...some }, [this.#count, count]))
      count += PAIRS_AT_ONCE * PAIR_DOTS.length
    }
    work.push(this.#step('rowSums', { 0: this.#lists.dots, 1: this.#dots }, [count, 0], [], count))
    return work
  }

  #columnSums(sums: Room, which: Which): Dispatch[] {
    const partial = (WALKED + 1) * this.#tensor.shape.length
    const bound = { 0: sums, 1: this.#blocks, 2: this.#columns }
    return [this.#step('columns', bound, [this.#count, partial]), this.#totals(which)]
  }

  /** Adds the column sums of the blocks up, for every mode. */
  #totals(part: number): Dispatch {
    const modes = this.#tensor.shape.length
    return this.#step('rowSums', { 0: this.#lists.modes, 1: this.#columns }, [modes, part * modes], [], modes)
  }

  /** Room for the pair of the next step. */
  async #spare(): Promise<Room> {
    if (this.#rooms.length === 0) {
      const bytes = 2 * this.#row * this.#placed.plan.rows.count
      this.#rooms.push(...(await this.#card.rooms('what a descent remembers', [bytes])))
    }
    return this.#rooms.at(-1)!
  }

  #next = 0

  /** A kernel with what it works on; its numbers are in a small buffer that is used again once the card has answered. */
  #step(
    name: keyof Kernels,
    bound: Readonly<Record<number, GPUBuffer>>,
    words: readonly number[],
    floats: readonly number[] = [],
    workgroups = this.#count,
  ): Dispatch {
    const { pipeline, uniform } = this.#kernels[name]
    const numbers = new Uint32Array(16)
    numbers.set(words)
    new Float32Array(numbers.buffer).set(floats, 4)
    const index = this.#next++ % UNIFORMS
    this.#uniforms[index] ??= this.#card.uniform(64)
    this.#card.write(this.#uniforms[index], numbers)
    const bindings = this.#card.bind(pipeline, { ...bound, [uniform]: this.#uniforms[index] })
    return { pipeline, bindings, workgroups }
  }
}

/** More than the kernels that are ever under way at once. */
const UNIFORMS = 64

/** Bytes that are made ready at a time. */
const STAGED = 64 * 2 ** 20

const roundUp = (count: number, to: number): number => Math.ceil(count / to) * to

/** Inner products for each class that a step gives, at most. */
const quantities = (pairs: number): number => OWN_DOTS.length + PAIR_DOTS.length * roundUp(pairs + 1, PAIRS_AT_ONCE)

const dotsOf = (used: readonly number[], row: (index: number) => Float64Array): Dots => {
  const [ss, sy, sg, yy, yg, gg] = OWN_DOTS.map((_, q) => row(q))
  const known = new Map(
    used.map((slot, j) => {
      const [ag, zg, as, ay, zs, zy] = PAIR_DOTS.map((_, q) => row(OWN_DOTS.length + PAIR_DOTS.length * j + q))
      return [slot, { ag, zg, as, ay, zs, zy }] as const
    }),
  )
  return { ss, sy, sg, yy, yg, gg, known }
}

type Kernels = Awaited<ReturnType<typeof kernelsOf>>

/** The kernels of a descent, and where each takes its numbers. */
const kernelsOf = async (card: Card, { geometry }: CardPass) => {
  const kernel = async (code: string, uniform: number) => ({ pipeline: await card.pipeline(code), uniform })
  return {
    prepare: await kernel(prepareShader(geometry, false), 6),
    divide: await kernel(prepareShader(geometry, true), 6),
    first: await kernel(learnShader(geometry, true), 7),
    learn: await kernel(learnShader(geometry, false), 7),
    ownDots: await kernel(dotShader(geometry, 0), 8),
    dots: await kernel(dotShader(geometry, PAIRS_AT_ONCE), 8),
    aim: await kernel(aimShader(geometry), 5),
    combine: await kernel(combineShader(geometry, PAIRS_AT_ONCE), 7),
    walk: await kernel(walkShader(geometry), 5),
    follow: await kernel(followShader(geometry), 3),
    values: await kernel(valuesShader(geometry), 3),
    residual: await kernel(residualShader(geometry), 4),
    columns: await kernel(columnShader(geometry), 3),
    rowSums: await kernel(rowSumShader(geometry), 2),
  }
}
