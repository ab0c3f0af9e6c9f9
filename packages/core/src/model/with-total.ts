import { checked, is } from '../options.ts'
import { Model } from './model.ts'
import { componentsOf } from './parameters.ts'

/**
 * The same model of another total: shares and profiles stay, and class sizes sum to it. With sampling weights that sum to the population,
 * sizes are then those of the classes in the population.
 * @example
 * withTotal(model, 1_000_000).total // 1000000
 */
export const withTotal = ({ modes, parameters, classNames, structure, items }: Model, total: number): Model =>
  new Model(modes, componentsOf(parameters, checked('total', is.positive, total)), classNames, structure, items)
