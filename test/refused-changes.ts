import { expect } from 'vitest'
import { DataError } from '../packages/core/src/errors.ts'

type Path = readonly (string | number)[]

/** Which rules refuse what at a place, and other values there. */
export type RefusedChange = readonly [rules: string | readonly string[], path: Path, ...others: readonly unknown[]]

/** A value with another one at a place of it. */
export const changed = (value: unknown, [name, ...rest]: Path, other: unknown): unknown => {
  if (name === undefined) return other
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[name] = changed(copy[name], rest, other)
  return copy
}

/** Expects that a value is read, and each of these changes refused with its place, by one of its rules; and that every rule refuses one. */
export const expectRefused = (
  read: (value: unknown) => unknown,
  root: string,
  value: unknown,
  changes: readonly RefusedChange[],
): void => {
  expect(() => read(value)).not.toThrow()
  for (const [rules, path, ...others] of changes) {
    const place = path.map(each => (typeof each === 'number' ? `[${each}]` : `.${each}`)).join('')
    const reasons = others.map(other => {
      try {
        read(changed(value, path, other))
      } catch (error) {
        expect(error).toBeInstanceOf(DataError)
        const { message } = error as Error
        expect(message.startsWith(`${root}${place}`), `${message}: ${root}${place}`).toBe(true)
        // An entry of what was changed may be what is wrong.
        return message.slice(root.length + place.length).replace(/^(\[\d+\])* (.*) \(.*\)$/, '$2')
      }
      return 'it is accepted'
    })
    expect([place, new Set(reasons)]).toEqual([place, new Set([rules].flat())])
  }
}
