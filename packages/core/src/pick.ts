const entriesOf = <T extends object, R>(values: T, isTaken: (name: string) => boolean): R =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isTaken(name))) as R

/**
 * An object without some of its keys.
 * @example
 * omit({ starts: 5, seed: 1 }, 'seed') // { starts: 5 }
 */
export const omit = <T extends object, K extends keyof T>(values: T, ...names: readonly K[]): Omit<T, K> =>
  entriesOf(values, name => !names.includes(name as K))

/**
 * An object with some of its keys, if it has them.
 * @example
 * pick({ starts: 5, seed: 1 }, 'seed') // { seed: 1 }
 */
export const pick = <T extends object, K extends keyof T>(values: T, ...names: readonly K[]): Pick<T, K> =>
  entriesOf(values, name => names.includes(name as K))
