/** The steps of the page, in their order. */
export const SCREENS = ['data', 'fit', 'look', 'use', 'take'] as const
export type Screen = (typeof SCREENS)[number]
