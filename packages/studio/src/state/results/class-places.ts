/** Where classes stand, and in which colour, from one number of classes to the next. */

/**
 * For each model the places of its classes, such that a class and its like in the next model have the same. The classes of one model,
 * the anchor, stand in their own order; a class without a like takes the first place that is free.
 * @param partners For each model but the last, by class: its like in the next model, −1 where it has none.
 */
export const matchedPlaces = (
  ranks: readonly number[],
  partners: readonly (readonly number[])[],
  anchor: number,
): number[][] => {
  const places: number[][] = []
  places[anchor] = Array.from({ length: ranks[anchor] }, (_, k) => k)
  for (let i = anchor + 1; i < ranks.length; i++) {
    const taken = new Array<number>(ranks[i]).fill(-1)
    partners[i - 1].forEach((like, k) => {
      if (like >= 0) taken[like] = places[i - 1][k]
    })
    places[i] = filled(taken)
  }
  for (let i = anchor - 1; i >= 0; i--)
    places[i] = filled(partners[i].map(like => (like < 0 ? -1 : places[i + 1][like])))
  return places
}

const filled = (places: readonly number[]): number[] => {
  const used = new Set(places)
  let free = 0
  return places.map(place => {
    if (place >= 0) return place
    while (used.has(free)) free++
    used.add(free)
    return free
  })
}

/** Colours of classes in a theme; after the last one they begin again. */
export const THEME_COLOURS = 20

/** The colour of a place: the page's own, whatever its theme. */
export const placeColour = (place: number): string => `var(--class-${(place % THEME_COLOURS) + 1}, currentColor)`

/** Below this contrast with the background a bar is hard to see. */
export const LEAST_CONTRAST = 3

/** The contrast of two colours, written as #rrggbb: from 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const luminance = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
