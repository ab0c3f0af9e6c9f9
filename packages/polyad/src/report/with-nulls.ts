/** A value of the library as JSON has it: what is undefined there is null here, so that every key is there. */
export type WithNulls<T> = T extends undefined
  ? null
  : T extends readonly (infer U)[]
    ? number extends T['length']
      ? readonly WithNulls<U>[]
      : { readonly [K in keyof T]: WithNulls<T[K]> }
    : T extends object
      ? { readonly [K in keyof T]: WithNulls<Partial<Pick<T, K>> extends Pick<T, K> ? Exclude<T[K], undefined> : T[K]> }
      : T

/** The library says undefined for what is not there, JSON null. Absent keys stay absent. */
export const withNulls = <T>(value: T): WithNulls<T> => {
  if (value === undefined) return null as WithNulls<T>
  if (Array.isArray(value)) return value.map(withNulls) as WithNulls<T>
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value as WithNulls<T>
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNulls(each)])) as WithNulls<T>
}
