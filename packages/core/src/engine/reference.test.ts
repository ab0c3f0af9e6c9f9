import { describe, it } from 'vitest'
import { conformance } from './conformance.ts'
import { referenceEngine } from './reference.ts'

describe('the reference engine', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(referenceEngine)
  })
})
