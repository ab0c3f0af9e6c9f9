import { describe, expect, it } from 'vitest'
import { fakeClickhouse, MISBEHAVIOURS, openBroken } from '../fake-clickhouse.ts'
import { polyadProcess } from '../run-polyad.ts'

describe('a ClickHouse server that', () => {
  it.each(MISBEHAVIOURS)('gives %s, from any question on, is an error in words', async (_, __, misbehave) => {
    for (let from = 0; ; from++) {
      const { error, asked } = await openBroken(misbehave, from)
      // All questions were answered.
      if (asked <= from) return
      // A server that fails while working tables are removed has said all that was wanted.
      if (error !== undefined) expect(['POLYAD_ENGINE', 'POLYAD_DATA']).toContain(error.code)
    }
  })

  it.each(MISBEHAVIOURS)('gives %s ends the command line with words and exit code 1', async (_, words, misbehave) => {
    for (const [from, said] of [
      [0, words],
      [/ AS polyad_0/, /127\.0\.0\.1/],
    ] as const) {
      const server = await fakeClickhouse(misbehave, from)
      const { code, stdout, stderr } = await polyadProcess(['fit', server.address(), '-k', '2', '--json'])
      expect(code, stderr).toBe(1)
      expect(stderr).toMatch(said)
      expect(stderr).not.toContain('unexpected error')
      expect(JSON.parse(stdout).error.message).toMatch(said)
      await server.close()
    }
  })

  it('never answers ends the command line with words and exit code 1', async () => {
    const server = await fakeClickhouse(() => {}, 2)
    const { code, stderr } = await polyadProcess(['fit', server.address('?timeout=0.5'), '-k', '2'])
    expect(code, stderr).toBe(1)
    expect(stderr).toMatch(/127\.0\.0\.1:\d+: Timeout/)
    await server.close()
  })
})
