import { defined } from '../../defined.ts'
import { OptionError } from '../../errors.ts'
import { drawer } from '../../numeric/drawer.ts'
import { type Label, labelOf } from '../../tensor/mode.ts'
import { checkDistribution } from './distributions.ts'
import { type CovariateValue, givenOf, type LinkLogitTerms, logitDistribution } from './link-logit.ts'
import type { GivenColumn, HiddenStructure, RowPrior, Split, SplitPart } from './structure.ts'

/** What a chain of classes consists of. */
export interface ChainTables {
  /** The column of persons. */
  readonly person: string
  /** The column of waves. */
  readonly time: string
  /** The waves, in their order. */
  readonly waves: readonly Label[]
  /** The class sizes at the first wave. */
  readonly initial: readonly number[]
  /** For every step from a wave to the next, or once for all steps: a row for each class left, with the probability of each class entered. */
  readonly transitions: readonly (readonly (readonly number[])[])[]
  /** The patterns of the waves' columns, if the data had a row for each person. */
  readonly wide?: readonly string[] | undefined
  /** How covariates explain the class at the first wave, and the transitions; `initial` and `transitions` are then means over persons. */
  readonly starting?: LinkLogitTerms | undefined
  readonly moving?: LinkLogitTerms | undefined
  /** The part of the persons who never change, and their class sizes; `initial` and `transitions` are then those of the others. */
  readonly stayers?: Stayers | undefined
  /** The variables whose probabilities differ between waves, and the modes that these have become. */
  readonly splits?: readonly Split[] | undefined
  readonly parts?: readonly SplitPart[] | undefined
}

/** Persons who never change. */
export interface Stayers {
  readonly share: number
  readonly sizes: readonly number[]
}

/**
 * Persons change their classes from wave to wave (latent transition analysis). The class of a row depends on that of the person's row one wave before. The class
 * sizes of the model are means over all rows.
 * @example
 * const waves = ['before', 'after']
 * const structure = new ChainStructure({ person: 'id', time: 'wave', waves, initial: [0.5, 0.5], transitions: [[[0.9, 0.1], [0.3, 0.7]]] })
 * structure.sizes(1) // [0.6, 0.4]
 */
export class ChainStructure implements HiddenStructure, ChainTables {
  readonly kind = 'chain'
  readonly person: string
  readonly time: string
  readonly waves: readonly Label[]
  readonly initial: readonly number[]
  readonly transitions: readonly (readonly (readonly number[])[])[]
  readonly given: readonly GivenColumn[]
  declare readonly wide?: readonly string[]
  declare readonly starting?: LinkLogitTerms
  declare readonly moving?: LinkLogitTerms
  declare readonly stayers?: Stayers
  declare readonly splits?: readonly Split[]
  declare readonly parts?: readonly SplitPart[]

  constructor({ person, time, waves, initial, transitions, wide, ...more }: ChainTables) {
    this.person = person
    this.time = time
    this.waves = Object.freeze([...waves])
    this.initial = Object.freeze([...initial])
    this.transitions = Object.freeze(transitions.map(step => Object.freeze(step.map(row => Object.freeze([...row])))))
    if (wide !== undefined) this.wide = Object.freeze([...wide])
    const { starting, moving, stayers, splits = [], parts = [] } = more
    Object.assign(this, defined({ starting, moving, stayers }))
    if (parts.length > 0) Object.assign(this, { splits, parts })
    this.given = Object.freeze([
      { name: time, labels: this.waves, numeric: false },
      ...givenOf(starting, moving).filter(({ name }) => name !== time),
    ])
    if (stayers !== undefined) checkDistribution('stayers.sizes', stayers.sizes, initial.length)
    const rank = initial.length
    if (waves.length < 2) throw new OptionError(`a chain must have two waves or more (got ${waves.length})`)
    if (transitions.length !== 1 && transitions.length !== waves.length - 1)
      throw new OptionError(
        `there must be transitions for each of ${waves.length - 1} steps, or one table for all (got ${transitions.length})`,
      )
    checkDistribution('initial', initial, rank)
    transitions.forEach((step, t) => {
      if (step.length !== rank)
        throw new OptionError(`transitions[${t}] must have ${rank} rows, one per class (got ${step.length})`)
      step.forEach((row, k) => void checkDistribution(`transitions[${t}][${k}]`, row, rank))
    })
    Object.freeze(this)
  }

  /** Whether all steps have the same transitions. */
  get same(): boolean {
    return this.transitions.length === 1 && this.waves.length > 2
  }

  /** The transitions to a wave, counted from 0. */
  transitionsTo(wave: number): readonly (readonly number[])[] {
    return this.transitions[this.transitions.length === 1 ? 0 : wave - 1]
  }

  /** The class sizes at a wave, counted from 0. */
  sizes(wave: number): number[] {
    let sizes = [...this.initial]
    for (let t = 1; t <= wave; t++) {
      const rows = this.transitionsTo(t)
      sizes = sizes.map((_, k) => sizes.reduce((sum, size, i) => sum + size * rows[i][k], 0))
    }
    const { stayers } = this
    return stayers === undefined
      ? sizes
      : sizes.map((size, k) => (1 - stayers.share) * size + stayers.share * stayers.sizes[k])
  }

  /** A function that draws the classes of a person at the first waves. @param valueAt the values of covariates at a wave, counted from 0 */
  drawer(): (waves: number, uniform: () => number, valueAt?: (wave: number) => CovariateValue) => number[] {
    const first = drawer(Float64Array.from(this.initial))
    const next = this.transitions.map(step => step.map(row => drawer(Float64Array.from(row))))
    const { stayers, starting, moving } = this
    const drawStayer = stayers && drawer(Float64Array.from(stayers.sizes))
    return (waves, uniform, valueAt) => {
      const rank = this.initial.length
      const stays = stayers !== undefined && starting === undefined && uniform() < stayers.share
      if (stays) return new Array<number>(waves).fill(drawStayer!(uniform()))
      const path: number[] = []
      for (let t = 0; t < waves; t++) {
        const step = next.length === 1 ? 0 : t - 1
        if (t === 0 && starting !== undefined && valueAt !== undefined) {
          // The states of persons who never change come after the classes.
          const state = drawer(logitDistribution(starting, valueAt(0), 0))(uniform())
          if (state >= rank) return new Array<number>(waves).fill(state - rank)
          path.push(state)
        } else if (t > 0 && moving !== undefined && valueAt !== undefined)
          path.push(drawer(logitDistribution(moving, valueAt(t), step, path[t - 1]))(uniform()))
        else path.push((t === 0 ? first : next[step][path[t - 1]])(uniform()))
      }
      return path
    }
  }

  /** The class sizes at the row's wave; those of all rows if it has no wave that is known. */
  prior(value: (column: string) => unknown, sizes: Float64Array): RowPrior {
    if (this.initial.length !== sizes.length)
      throw new OptionError(
        'structure',
        `must have initial probabilities of all ${sizes.length} classes`,
        this.initial.length,
      )
    const own = labelOf(value(this.time))
    const wave = own === undefined ? -1 : this.waves.findIndex(each => String(each) === String(own))
    if (wave < 0) return { probabilities: sizes, lacking: [this.time] }
    return { probabilities: Float64Array.from(this.sizes(wave)), lacking: [] }
  }
}
