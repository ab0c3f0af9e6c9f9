import { openTable } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { gzipBomb } from '../bombs.ts'
import { polyad } from '../run-polyad.ts'
import { errorOf, post, serveStudio, upload } from '../studio-client.ts'
import { testFolder } from '../test-folder.ts'

/** 3 MB that unpack to 3 GB, given to the commands and to the server of the studio. */

const { file } = testFolder()
const bomb = gzipBomb(3e9, 'a,b\n1,2\n')
const tensor = gzipBomb(3e9, '', '1 1 1 1 1\n')

serveStudio({ uploadLimit: 1e7 })

describe('a bomb', () => {
  it('is small', () => {
    expect(bomb.length).toBeLessThan(3_200_000)
  })

  it.each([
    ['csv', bomb],
    ['json', bomb],
    ['tns', tensor],
    ['sav', bomb],
  ] as const)('is refused by the command (%s)', async (kind, bytes) => {
    const path = file(`bomb.${kind}.gz`, bytes)
    const { code, stderr } = await polyad(['fit', path, '-k', '2'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/unpacks to more than [\d,]+ bytes/)
  })

  it.each(['x.csv.gz', 'x.json.gz', 'x.rds', 'x.sav.gz', 'x.parquet.gz'])(
    'is refused in memory, as in the page (%s)',
    async name => {
      await expect(openTable({ name, bytes: bomb })).rejects.toThrow(`${name} unpacks to more than 3`)
    },
  )

  it('is refused by the server of the studio', async () => {
    const sent = await upload('bomb.csv.gz', new Uint8Array(bomb))
    const { id } = (await sent.json()) as { id: string }
    const answer = await post('/api/inspect', { file: id })
    expect(answer.status).toBe(422)
    expect((await errorOf(answer)).message).toContain('bomb.csv.gz unpacks to more than 2,000,000,000 bytes')
  })
})
