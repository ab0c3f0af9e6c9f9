import { defined } from '../../defined.ts'
import { pick } from '../../fit/closed-form/merge.ts'
import { type ConstraintSetting, mayReorder } from '../../fit/descent/constraints.ts'
import { fittedItem } from '../../model/items/fitted-item.ts'
import { Model } from '../../model/model.ts'
import { pairing } from '../../model/pairing.ts'
import { componentsOf, type ModelParameters } from '../../model/parameters.ts'

/** The parameters of a replicate, its classes in the order of those of the model that are most like them. */
export const inOrder = (
  model: Model,
  refit: ModelParameters,
  constraints: ConstraintSetting | undefined,
): ModelParameters => {
  const order = pairing(model.parameters, refit)
  if (constraints !== undefined && !mayReorder(constraints, order)) return refit
  const items = refit.items?.map((theta, n) => theta && model.itemModel(n)?.reorder(theta, order))
  return { ...pick(refit, order), ...defined({ items }) }
}

/** A model with the parameters of a replicate. */
export const refittedModel = ({ modes, items, total }: Model, refit: ModelParameters): Model =>
  new Model(
    modes,
    componentsOf(refit, total),
    undefined,
    undefined,
    items.map((item, n) => item && fittedItem(item.spec, refit.items?.[n] ?? item.theta)),
  )
