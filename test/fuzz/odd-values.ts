import { below, oneOf, type Random } from '../mutations.ts'

/** Values of JSON changed in ways that no writer of Polyad would, and texts of them that no writer of JSON would. */

/** Names that have misled programs. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  '\0',
  'a'.repeat(300),
]

const deep = (depth: number, inner: unknown): unknown => {
  let value = inner
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : Object.fromEntries([['a', value]])
  return value
}

/** Values that stand where others are expected. */
const ODD: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => -0,
  () => 0.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => 1e308,
  () => -1e308,
  () => 5e-324,
  () => '',
  () => '../../../etc/passwd',
  () => '\u{feff}\0\u202e\ud800<script>',
  () => '2024-13-45',
  () => '1e999',
  () => [],
  () => ({}),
  () => [null],
  () => Object.fromEntries([['__proto__', { polluted: 1 }]]),
  () => ({ constructor: { prototype: { polluted: 1 } } }),
  () => ({ length: 2 ** 32, 0: 'a' }),
  random => 'x'.repeat(10 ** below(5, random)),
  random => Array.from({ length: 10 ** below(4, random) }, () => 0),
  random => deep(oneOf([3, 40, 600], random), 1),
]

export const oddValue = (random: Random): unknown => oneOf(ODD, random)(random)

type Holder = unknown[] | Record<string, unknown>

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

/** A copy with one place changed: another value there, none, one more, two exchanged, or another name. */
export const changedValue = (value: unknown, random: Random): unknown => {
  if (!isHolder(value) || random() < 0.02) return oddValue(random)
  const keys = Object.keys(value)
  // Deeper down most of the time: at the top there is little to change.
  const inner = keys.filter(key => isHolder((value as Record<string, unknown>)[key]))
  const copy = (): Record<string, unknown> =>
    (Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value))) as Record<string, unknown>
  const put = (holder: Record<string, unknown>, key: string, inside: unknown) => {
    // As JSON.parse does it: a key of this name is one like any other.
    Object.defineProperty(holder, key, { value: inside, enumerable: true, configurable: true, writable: true })
    return holder
  }
  if (inner.length > 0 && random() < 0.7) {
    const key = oneOf(inner, random)
    return put(copy(), key, changedValue((value as Record<string, unknown>)[key], random))
  }
  if (keys.length === 0) return Array.isArray(value) ? [oddValue(random)] : { [oneOf(NAMES, random)]: oddValue(random) }
  const key = oneOf(keys, random)
  const changed = copy()
  switch (below(6, random)) {
    case 0:
      if (Array.isArray(changed)) changed.splice(Number(key), 1)
      else delete changed[key]
      return changed
    case 1:
      return Array.isArray(changed)
        ? [...changed, oneOf(changed, random)]
        : put(changed, oneOf(NAMES, random), oddValue(random))
    case 2: {
      const other = oneOf(keys, random)
      const [a, b] = [changed[key], changed[other]]
      return put(put(changed, key, b), other, a)
    }
    case 3:
      if (Array.isArray(changed)) return Object.fromEntries(Object.entries(changed))
      return Object.fromEntries(
        Object.entries(changed).map(([name, each]) => [name === key ? oneOf(NAMES, random) : name, each]),
      )
    default:
      return put(
        changed,
        key,
        typeof changed[key] === 'number' && random() < 0.5
          ? (changed[key] as number) + oneOf([-1, 1, 0.5], random)
          : oddValue(random),
      )
  }
}

/** JSON of a value that was changed so many times; sometimes with a member twice, or a number that JSON does not know. */
export const changedJson = (value: unknown, random: Random, times = 1 + below(3, random)): string => {
  let changed = value
  for (let n = 0; n < times; n++) changed = changedValue(changed, random)
  const text = JSON.stringify(changed) ?? ''
  const kind = random()
  if (kind < 0.05)
    return text.replace(
      /"([^"]+)":/,
      (member, name) => `${member}${oneOf(['1', '"x"', 'null', '[]', '{}'], random)},"${name}":`,
    )
  if (kind < 0.1)
    return text.replace(/\d+(\.\d+)?/, oneOf(['1e999', '-0', 'NaN', '00', '1e-999', '9'.repeat(400)], random))
  return text
}
