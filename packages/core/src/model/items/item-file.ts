import { is } from '../../options.ts'
import { type Read, reader } from '../../reader.ts'
import { fittedItem } from './fitted-item.ts'
import type { FittedItem, ParametricSpec } from './item.ts'

/** An item as a model file has it: what it is, and its parameters in the order of `theta`. */
export type ItemJson = ParametricSpec & { readonly theta: readonly number[] }

export const itemToJson = ({ spec, theta }: FittedItem): ItemJson => ({ ...spec, theta: [...theta] })

const numbers = reader.numbers()
const item: Read<ItemJson> = reader.kinds<ItemJson>('kind', {
  normal: reader.fields<Extract<ItemJson, { kind: 'normal' }>>({
    kind: reader.oneOf(['normal'] as const),
    step: reader.by<number>(is.positive),
    variances: reader.oneOf(['free', 'equal'] as const),
    prior: reader.optional(reader.by<number>(is.positive)),
    theta: numbers,
  }),
  'multivariate-normal': reader.fields<Extract<ItemJson, { kind: 'multivariate-normal' }>>({
    kind: reader.oneOf(['multivariate-normal'] as const),
    variables: reader.list(reader.fields({ name: reader.text(), step: reader.by<number>(is.positive) })),
    variances: reader.oneOf(['free', 'equal'] as const),
    theta: numbers,
  }),
  ordinal: reader.fields<Extract<ItemJson, { kind: 'ordinal' }>>({
    kind: reader.oneOf(['ordinal'] as const),
    scores: numbers,
    theta: numbers,
  }),
  count: reader.fields<Extract<ItemJson, { kind: 'count' }>>({
    kind: reader.oneOf(['count'] as const),
    distribution: reader.oneOf(['poisson', 'negative-binomial'] as const),
    theta: numbers,
  }),
})

/** An item from plain values, as JSON or a structured clone has them. */
export const itemFromJson: Read<FittedItem> = (value, where) => {
  const { theta, ...spec } = item(value, where)
  return fittedItem(spec, Float64Array.from(theta))
}
