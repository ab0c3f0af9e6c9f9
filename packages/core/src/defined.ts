/** An object without the keys that may be undefined, as optional properties. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/**
 * The entries of an object whose values are not undefined: optional properties in one literal.
 * @example
 * defined({ starts: 5, seed: undefined }) // { starts: 5 }
 */
export const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
