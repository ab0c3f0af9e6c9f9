import type { ChainSetting, LinkLogit } from './links.ts'

type Weighed = Pick<ChainLayout, 'waves' | 'startWeights' | 'moveWeights' | 'steppingOf'>

/** What follows from the rows alone, whatever the number of classes: a search asks for it again and again. */
const known = new WeakMap<ChainSetting, Weighed>()

const weighed = (setting: ChainSetting, starts: number, moves: number): Weighed => {
  const found = known.get(setting) ?? weigh(setting, starts, moves)
  known.set(setting, found)
  return found
}

const weigh = (
  { starting, moving, rows, same, waves: count }: ChainSetting,
  starts: number,
  moves: number,
): Weighed => {
  const waves = new Float64Array(count)
  const startWeights = new Float64Array(starts)
  const moveWeights = new Float64Array(moves)
  const steppingOf = Int32Array.from({ length: moves }, (_, z) => (moving === undefined ? z : 0))
  rows.weights.forEach((weight, unit) => {
    const first = rows.starts[unit]
    const length = rows.starts[unit + 1] - first
    startWeights[starting?.of[unit] ?? 0] += weight
    for (let t = 0; t < length; t++) {
      waves[t] += weight
      if (t === 0) continue
      const step = same ? 0 : t - 1
      const table = moving?.of[first + t] ?? step
      moveWeights[table] += weight
      steppingOf[table] = step
    }
  })
  const all = waves.reduce((sum, each) => sum + each, 0)
  for (let t = 0; t < count; t++) waves[t] /= all
  return { waves, startWeights, moveWeights, steppingOf }
}

/** Where the tables of a chain are: the initial sizes, for every combination of covariates, and then the transitions of every step or combination. */
export class ChainLayout {
  /** The classes, and once more those of persons who never change. */
  readonly states: number
  /** How many distributions of initial sizes there are, and how many tables of transitions. */
  readonly starts: number
  readonly moves: number
  /** How many steps have transitions of their own. */
  readonly steps: number
  /** For every wave, how much of all rows it has. */
  readonly waves: Float64Array
  /** How much of the data has each distribution of initial sizes, and each table of transitions. */
  readonly startWeights: Float64Array
  readonly moveWeights: Float64Array
  /** The step of every table of transitions. */
  readonly steppingOf: Int32Array
  readonly #setting: ChainSetting
  readonly #rank: number
  readonly #first: number

  constructor(setting: ChainSetting, rank: number) {
    const { starting, moving, same } = setting
    this.#setting = setting
    this.#rank = rank
    // One class can only stay.
    this.states = setting.stayers === true && rank > 1 ? 2 * rank : rank
    this.steps = same ? Math.min(1, setting.waves - 1) : setting.waves - 1
    this.starts = starting?.patterns ?? 1
    this.moves = moving?.patterns ?? this.steps
    this.#first = this.starts * this.states
    const { waves, startWeights, moveWeights, steppingOf } = weighed(setting, this.starts, this.moves)
    this.waves = waves
    this.startWeights = startWeights
    this.moveWeights = moveWeights
    this.steppingOf = steppingOf
  }

  /** Whether anything depends on covariates. */
  get isExplained(): boolean {
    return this.#setting.starting !== undefined || this.#setting.moving !== undefined
  }

  /** Where the initial sizes of a unit begin. */
  initial(unit: number): number {
    return (this.#setting.starting?.of[unit] ?? 0) * this.states
  }

  /** Where the transitions to a row begin, which is at a wave. */
  to(row: number, wave: number): number {
    const { moving, same } = this.#setting
    const table = moving === undefined ? (same ? 0 : wave - 1) : moving.of[row]
    return this.#first + table * this.#rank * this.#rank
  }

  /** The distributions that covariates explain: of a class that is left, those of all combinations. */
  logits(): LinkLogit[] {
    const { starting, moving } = this.#setting
    const rank = this.#rank
    const initial =
      starting === undefined || this.states === 1
        ? []
        : [{ first: 0, stride: this.states, length: this.states, design: starting }]
    if (moving === undefined || rank === 1) return initial
    const from = (i: number) => ({ first: this.#first + i * rank, stride: rank * rank, length: rank, design: moving })
    return [...initial, ...Array.from({ length: rank }, (_, i) => from(i))]
  }
}
