import { OptionError } from '../../errors.ts'
import { withDeadline } from '../../fit/deadline.ts'
import { fit } from '../../fit/fit.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { optionsObject } from '../../options.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING } from '../../tensor/mode.ts'
import { joinModes, modeNamed, selectCells } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { identify } from '../identification/identification.ts'
import { type ComparedModel, comparedModel, type NestedTest, nestedTest } from '../judge/nested.ts'

export interface JoinedFitOptions extends Omit<FitOptions, 'init' | 'constraints'> {
  /** Lists of modes, each of which becomes one: within a class they may depend on each other. */
  readonly join: readonly (readonly string[])[]
}

export interface JoinedComparison {
  readonly joined: readonly (readonly string[])[]
  /** Both on the same data: `separate` and `joined`. */
  readonly models: readonly ComparedModel[]
  /** Of the separate model within the joined one. */
  readonly test: NestedTest
  /** How much of the data lacks some of the modes that were joined but not all of them, and counts as lacking them all. */
  readonly partial: number
}

export interface JoinedFit {
  readonly tensor: Tensor
  readonly result: FitResult
  readonly comparison: JoinedComparison
}

/**
 * Fits classes within which some modes may depend on each other, and the same classes without that, for comparison. Stopped
 * by time or a signal, it fails: there is no comparison then.
 * @example
 * const { comparison } = await fitJoined(answers, { rank: 2, join: [['age', 'vote']] })
 * comparison.models.map(({ name }) => name) // ['separate', 'joined']
 */
export const fitJoined = async (tensor: Tensor, options: JoinedFitOptions): Promise<JoinedFit> => {
  optionsObject('fitJoined', options)
  return withDeadline(options, async limit => {
    const { maxSeconds: _, ...rest } = options
    const found = await compare(tensor, { ...rest, ...(limit !== undefined && { signal: limit }) })
    // Models that were stopped on the way say nothing of each other.
    limit?.throwIfAborted()
    return found
  })
}

const compare = async (tensor: Tensor, { join, ...options }: JoinedFitOptions): Promise<JoinedFit> => {
  const twice = join.flat().find((name, i, all) => all.indexOf(name) !== i)
  if (twice !== undefined) throw new OptionError('join', `has ${JSON.stringify(twice)} twice: a mode is joined once`)
  const positions = join.map(names => names.map(name => modeNamed(tensor, name, 'join')))
  const { separate, partial } = blankPartial(tensor, positions)
  const joined = join.reduce<Tensor>((data, names) => joinModes(data, names), separate)
  const result = await fit(joined, options)
  const plain = await fit(separate, options)
  const { rank } = options
  const models = [
    comparedModel('separate', plain.logLikelihood, identify(separate.shape, rank).rank, separate.total),
    comparedModel('joined', result.logLikelihood, identify(joined.shape, rank).rank, joined.total),
  ]
  return Object.freeze({
    tensor: joined,
    result,
    comparison: Object.freeze({ joined: join, models, test: nestedTest(models[0], models[1]), partial }),
  })
}

/** Where one mode of a list is missing, all of it is: the two models then see the same data. */
const blankPartial = (tensor: Tensor, positions: readonly (readonly number[])[]) => {
  const indices = tensor.indices.map(column => column.slice())
  let partial = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    let changed = false
    for (const modes of positions) {
      const present = modes.filter(n => indices[n][cell] !== MISSING)
      if (present.length === modes.length) continue
      for (const n of present) indices[n][cell] = MISSING
      changed ||= present.length > 0
    }
    if (changed) partial += tensor.values[cell]
  }
  if (partial === 0) return { separate: tensor, partial }
  const blanked = buildTensor(tensor.modes, indices, tensor.values)
  return { separate: selectCells(blanked, cell => blanked.indices.some(column => column[cell] !== MISSING)), partial }
}
