import type { RenderFunction } from '@observablehq/plot'

/**
 * What a mark stands for: the places of its class, mode and label in the chart's data. Marks carry it as `data-class`, `data-mode`
 * and `data-label`, so that a page can respond to pointing at them.
 */
export interface StandsFor {
  readonly class?: number
  readonly mode?: number
  readonly label?: number
}

const say = (drawn: Element, stands: StandsFor): void => {
  for (const [key, place] of Object.entries(stands)) drawn.setAttribute(`data-${key}`, String(place))
}

/** A whole group that stands for one thing. */
export const standingFor = <T extends Element>(drawn: T, stands: StandsFor): T => {
  say(drawn, stands)
  return drawn
}

/** For the options of a mark whose elements all stand for one thing. */
export const allStandFor = (stands: StandsFor): { readonly render: RenderFunction } => ({
  render: (index, scales, values, dimensions, context, next) => {
    const drawn = next?.(index, scales, values, dimensions, context) ?? null
    if (drawn !== null) say(drawn, stands)
    return drawn
  },
})

/** For the options of a mark: what each of its elements stands for, by the place of its datum. */
export const eachStandsFor = (stands: (i: number) => StandsFor): { readonly render: RenderFunction } => ({
  render: (index, scales, values, dimensions, context, next) => {
    const drawn = next?.(index, scales, values, dimensions, context) ?? null
    // Plot leaves with every element the place of what it draws.
    for (const child of drawn?.children ?? []) {
      const { __data__: i } = child as Element & { readonly __data__?: unknown }
      if (typeof i === 'number') say(child, stands(i))
    }
    return drawn
  },
})
