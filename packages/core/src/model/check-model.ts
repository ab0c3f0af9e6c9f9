import { OptionError, show } from '../errors.ts'
import { Model } from './model.ts'

/** Refuses what is no model; a copy of one is told what to do. */
export const checkModel = (name: string, model: unknown): Model => {
  if (model instanceof Model) return model
  throw new OptionError(`${name} must be a Model (got ${isCopy(model) ? COPY : show(model)})`)
}

const COPY =
  'a copy that has lost its methods, as structuredClone and postMessage make them: pass reviveModel(copy) of @polyad/core/model'

const isCopy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'parameters' in value && 'modes' in value && 'sizes' in value
