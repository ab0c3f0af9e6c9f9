import { describe, expect, it } from 'vitest'
import { fakeClickhouse, MISBEHAVIOURS, openBroken } from '../fake-clickhouse.ts'
import { polyadProcess } from '../run-polyad.ts'
import { DATA, fittedModel } from '../strange-tables.ts'
import { testFolder } from '../test-folder.ts'

const files = testFolder()

describe('a ClickHouse server that', () => {
  it.each(MISBEHAVIOURS)('gives %s, from any question on, is an error in words', async (_, __, misbehave) => {
    for (let from = 0; ; from++) {
      const { error, asked, released } = await openBroken(misbehave, from)
      expect(released).toBe(true)
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

  it.each(['classify', 'rank', 'sample', 'clean'])(
    'misbehaves ends polyad %s with words and exit code 1',
    async name => {
      const model = await fittedModel(files, 'plain')
      const explained = await fittedModel(files, 'covariates')
      const rows = files.file('rows.csv', DATA)
      // The connection is that of `fit`, which meets all of them.
      const some = ['noise without an end', 'half an answer', 'an unknown type', 'no answer, on a line that breaks']
      for (const [way, words, misbehave] of MISBEHAVIOURS.filter(([each]) => some.includes(each))) {
        const server = await fakeClickhouse(misbehave, 0)
        const args = {
          classify: [model, server.address()],
          rank: [server.address(), '-k', '1..2'],
          sample: [model, '-o', server.address()],
          clean: [server.address()],
        }[name]!
        const { code, stdout, stderr } = await polyadProcess([name, ...args, '--json'])
        expect(code, `${way}: ${stderr}`).toBe(1)
        expect(stderr, way).toMatch(words)
        expect(stderr, way).not.toContain('unexpected error')
        expect(JSON.parse(stdout).error.message, way).toMatch(words)
        await server.close()
      }
      expect((await polyadProcess(['sample', explained, rows, '-o', 'clickhouse://127.0.0.1:1/d/t'])).code).toBe(2)
    },
  )

  it('never answers ends the command line with words and exit code 1', async () => {
    const server = await fakeClickhouse(() => {}, 2)
    const { code, stderr } = await polyadProcess(['fit', server.address('?timeout=0.5'), '-k', '2'])
    expect(code, stderr).toBe(1)
    expect(stderr).toMatch(/127\.0\.0\.1:\d+: Timeout/)
    await server.close()
  })
})
