import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeParts, planMerges } from './lane-sums.ts'
import { spreadLanes } from './placement.ts'

/** The lanes' sums as texts, so that the order of the additions shows. */
const sums = (lanes: readonly number[]) => {
  const { steps, parts, slots } = planMerges(lanes)
  const memory = new Array<string>(slots)
  steps.forEach(({ slot, adds }, i) => {
    memory[slot] = String(lanes[i])
    for (const [target, source] of adds) memory[target] = `(${memory[target]}+${memory[source]})`
  })
  return parts.map(({ first, count, slot }) => ({ first, count, text: memory[slot] }))
}

const total = (lanes: number, threads: number): string => {
  const parts = spreadLanes(lanes, threads).flatMap(sums)
  return mergeParts(parts, (target, source) => {
    target.text = `(${target.text}+${source.text})`
  }).text
}

test('lanes are added in the same order on any number of threads', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 40 }), (power, threads) => {
      expect(total(2 ** power, threads)).toBe(total(2 ** power, 1))
    }),
  )
})

test('the order is a binary tree', () => {
  expect(total(4, 3)).toBe('((0+1)+(2+3))')
  expect(planMerges([0, 1, 2, 3, 4, 5, 6, 7]).slots).toBe(4)
})

test('lanes are spread evenly, none left out and no thread without one', () => {
  for (const [lanes, threads] of [
    [32, 7],
    [4, 7],
    [1, 2],
    [8, 8],
  ]) {
    const spread = spreadLanes(lanes, threads)
    expect(spread.flat()).toEqual(Array.from({ length: lanes }, (_, lane) => lane))
    const sizes = spread.map(own => own.length)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  }
})
