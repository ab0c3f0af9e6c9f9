import { describe, expect, it } from 'vitest'
import { MISBEHAVIOURS, openBroken } from './fake-clickhouse.ts'

describe('a ClickHouse server that', () => {
  it('answers all questions is understood', async () => {
    const { error, released } = await openBroken(() => {}, Number.POSITIVE_INFINITY)
    expect([error, released]).toEqual([undefined, true])
  })

  it.each(MISBEHAVIOURS)(
    'gives %s is an error in words, at the first question and in a pass',
    async (_, words, misbehave) => {
      const first = await openBroken(misbehave, 0)
      expect(first.error?.message).toMatch(words)
      expect(first.error?.message).toMatch(/^127\.0\.0\.1:\d+: /)
      expect(first.released).toBe(true)
      const pass = await openBroken(misbehave, / AS place/)
      expect(pass.error).toMatchObject({ code: 'POLYAD_ENGINE' })
    },
  )
})
