import { type Label, Mode, Model, OptionError } from '@polyad/core'

/**
 * Two models over the same labels, so that their classes can be compared: the modes of the second in the order of the
 * first, and labels that only one of them has with probability zero in the other.
 */
export const alignModels = (a: Model, b: Model): [Model, Model] => {
  const names = (model: Model) => model.modes.map(({ name }) => name)
  const missing = names(a).find(name => !names(b).includes(name)) ?? names(b).find(name => !names(a).includes(name))
  if (missing !== undefined) {
    throw new OptionError(
      `the models must have the same modes: ${names(a).join(', ')} against ${names(b).join(', ')} (${missing} is in one only)`,
    )
  }
  const modes = a.modes.map(mode => {
    const other = b.modes.find(({ name }) => name === mode.name) as Mode
    const added = labelsOf(other).filter(label => mode.indexOf(label) === undefined)
    return new Mode(mode.name, [...labelsOf(mode), ...added], mode.ordered)
  })
  return [over(modes, a), over(modes, b)]
}

const labelsOf = (mode: Mode): readonly Label[] => mode.labels ?? Array.from({ length: mode.size }, (_, j) => j)

const over = (modes: readonly Mode[], model: Model): Model => {
  const { rank, parameters } = model
  const factors = modes.map(mode => {
    const n = model.modes.findIndex(({ name }) => name === mode.name)
    const factor = new Float64Array(mode.size * rank)
    labelsOf(mode).forEach((label, j) => {
      const from = model.modes[n].indexOf(label)
      if (from !== undefined) factor.set(parameters.factors[n].subarray(from * rank, (from + 1) * rank), j * rank)
    })
    return factor
  })
  return new Model(modes, { rank, weights: Float64Array.from(model.weights), factors }, model.classNames)
}
