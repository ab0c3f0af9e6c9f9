import { DataError } from '../../errors.ts'
import { exactBytes } from '../../file/exact-values.ts'
import type { Facts } from './journal.ts'

/** Refuses a checkpoint of another run, with the first difference. @param name what messages call it */
export const refuseDifference = (name: string, before: Facts, now: Facts): void => {
  // In the order of this run, and then what only the other one has.
  for (const fact of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const [was, is] = [own(before, fact), own(now, fact)]
    if (same(was, is)) continue
    throw new DataError(
      `${name} belongs to a run with ${described(fact, was)}, and this run has ${described(fact, is)}: use another file, or remove it`,
    )
  }
}

/** Names such as `constructor` are facts only where somebody has said them. */
const own = (facts: Facts, name: string): unknown => (Object.hasOwn(facts, name) ? facts[name] : undefined)

const same = (a: unknown, b: unknown): boolean => {
  const [one, other] = [exactBytes(a), exactBytes(b)]
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}

/** A text that is not longer than a line. */
const LONGEST = 60

const described = (fact: string, value: unknown): string => {
  if (value === undefined) return `no ${fact}`
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return `${fact} ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`
}
