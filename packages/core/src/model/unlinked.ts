import { Model } from './model.ts'
import { componentsOf } from './parameters.ts'

/**
 * The model of single rows of a model whose rows belong together, such as the waves of a person: the class sizes are means over all rows.
 * @example
 * unlinkedModel(model).structure.kind // 'shares'
 */
export const unlinkedModel = ({ modes, parameters, classNames, items, total }: Model): Model =>
  new Model(modes, componentsOf(parameters, total), classNames, undefined, items)
