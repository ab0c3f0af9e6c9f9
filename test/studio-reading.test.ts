import { tmpdir } from 'node:os'
import { decodeRead } from 'polyad/studio-wire'
import { describe, expect, it } from 'vitest'
import { readTensor } from '../packages/polyad/src/source/read-tensor.ts'
import { startStudio } from '../packages/polyad/src/studio/server.ts'
import { tensorDigest } from '../packages/polyad/src/table/view/tensor-digest.ts'
import { api, errorOf, file, namedFile, pageOptions, path, post, serveStudio, survey, upload } from './studio-client.ts'

serveStudio()

/** Tables that a studio reads for its page. */

describe('reading a file', () => {
  it('gives the tensor of the command line', async () => {
    const csv = file('weighed.csv', 'age,vote,w\n1,yes,1.5\n2,no,0.25\n1,no,3\n,yes,1\n2,yes,2\n1,yes,0.1\n')
    const other = await startStudio({ ...pageOptions(), files: [csv] })
    const options = { modes: ['age', 'vote'], weights: 'w', missingAs: '?' }
    const answer = await post('/api/read', { file: await namedFile(other), options }, other)
    expect(answer.headers.get('Content-Type')).toBe('application/octet-stream')
    const { tensor, squares, rowWeights, source, ...rest } = decodeRead(new Uint8Array(await answer.arrayBuffer()))
    const expected = await readTensor(csv, options)
    expect(tensorDigest(tensor)).toBe(tensorDigest(expected.tensor))
    expect(squares?.values).toEqual(expected.squares?.values)
    expect(rowWeights).toEqual(expected.rowWeights)
    expect(rest).toEqual({
      rows: expected.rows,
      dropped: expected.dropped,
      notes: expected.notes,
      recipe: expected.recipe,
      population: expected.population,
    })
    expect(source).toEqual({ ...expected.source, files: ['weighed.csv'] })
    await other.close()
  })

  it('says how far it is, by the name that a page gives', async () => {
    const sent = (await (await upload('watched.csv', survey)).json()) as { id: string }
    const answer = await post('/api/read', { file: sent.id, watch: 'abc123' })
    expect(decodeRead(new Uint8Array(await answer.arrayBuffer())).tensor.total).toBe(17)
    // What is over is not known any more, and nothing else is.
    for (const name of ['abc123', '__proto__', 'x'])
      expect(await (await api(`/api/readings/${name}`)).json()).toEqual({ percent: null })
    for (const watch of [1, '', 'x y', 'a'.repeat(65), null])
      expect((await errorOf(await post('/api/read', { file: sent.id, watch }))).message).toMatch('hexadecimal')
  })

  it.each(["'); DROP TABLE x; --.csv", '*.csv', 'two\nlines.csv', 'x[1].csv'])(
    'takes a name literally: %j',
    async name => {
      const sent = (await (await upload(name, survey)).json()) as { id: string; name: string }
      const answer = await post('/api/read', { file: sent.id })
      const { tensor, source, notes } = decodeRead(new Uint8Array(await answer.arrayBuffer()))
      expect([tensor.total, source.files]).toEqual([17, [sent.name]])
      expect(JSON.stringify(notes)).not.toContain(tmpdir())
    },
  )

  it.each([
    [{ sql: 'SELECT 1' }, '"sql" cannot be set by a page'],
    [{ format: 'json' }, '"format" cannot be set by a page'],
    [{ memory: '1TB' }, '"memory" cannot be set by a page'],
    [{ paths: ['/etc/passwd'], threads: 9 }, '"paths", "threads"'],
    [{ modes: 'age' }, 'modes'],
    [{ modes: [1] }, 'modes must be a list of texts'],
    [{ top: 0 }, 'top'],
    [{ top: 1.5 }, 'top'],
    [{ trim: 'yes' }, 'trim'],
    [{ count: null }, 'count must be text (got null)'],
    [{ modes: ['ages'] }, 'survey.csv has no column "ages"; did you mean "age"?'],
    [{ bins: ['age:monht'] }, 'did you mean month?'],
    [{ delimiter: 'abc' }, 'delimiter must be one character'],
  ])('refuses the options %j', async (options, reason) => {
    for (const target of ['/api/read', '/api/inspect']) {
      const answer = await post(target, { file: await namedFile(), options })
      expect(answer.status).toBe(400)
      const { kind, message } = await errorOf(answer)
      expect(kind).toBe('option')
      expect(message).toContain(reason)
      expect(message).not.toContain(tmpdir())
    }
  })

  it.each([
    ['a list', '[]'],
    ['no file', '{}'],
    ['a path for a file', '{"file": {"path": "/etc/passwd"}}'],
    ['what is not asked for', '{"file": "x", "path": "/etc/passwd"}'],
    ['half an object', '{"file": '],
    ['nothing', ''],
    ['a prototype', '{"file": "x", "options": {"__proto__": {"sql": "SELECT 1"}}}'],
  ])('refuses a body with %s', async (_, body) => {
    const answer = await api('/api/read', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(400)
    expect(['request', 'option']).toContain((await errorOf(answer)).kind)
  })

  it('refuses a body that is too large, of another type, or of a file that is not there', async () => {
    const large = await post('/api/read', { file: 'x', options: { modes: ['a'.repeat(2 << 20)] } })
    expect(large.status).toBe(413)
    expect(
      (await api('/api/read', { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } })).status,
    ).toBe(415)
    expect((await post('/api/read', { file: path('survey.csv') })).status).toBe(404)
    expect((await post('/api/read', { file: '../survey.csv' })).status).toBe(404)
  })

  it('tells what is wrong with the data, and where', async () => {
    const sent = (await (await upload('bad.csv', 'a,b,n\nx,1,2\ny,2,many\n')).json()) as { id: string }
    const answer = await post('/api/read', { file: sent.id, options: { modes: ['a'], count: 'n' } })
    expect(answer.status).toBe(422)
    expect(await errorOf(answer)).toEqual({
      kind: 'data',
      message: 'bad.csv, line 3, column "n": a count must be a number ≥ 0 (got "many")',
      place: { line: 3, column: 'n' },
    })
    await api(`/api/files/${sent.id}`, { method: 'DELETE' })
  })

  it('shows columns, how they are used, and the first rows', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i % 2 ? 'yes' : 'no'},${i % 3},id${i},`)
    const sent = (await (await upload('x.csv', `vote,age,id,none\n${rows.join('\n')}\n`)).json()) as { id: string }
    const view = (await (await post('/api/inspect', { file: sent.id })).json()) as Record<string, unknown>
    expect(view).toMatchObject({
      name: 'x.csv',
      rows: 30,
      all: true,
      columns: [
        { name: 'vote', kind: 'text', distinct: 2, guess: 'mode' },
        { name: 'age', kind: 'number', distinct: 3, guess: 'mode' },
        { name: 'id', kind: 'text', distinct: 30, guess: 'ignore', reason: expect.stringContaining('an identifier') },
        { name: 'none', kind: 'empty', distinct: 0, guess: 'ignore', reason: 'no values' },
      ],
      preview: Array.from({ length: 20 }, (_, i) => [i % 2 ? 'yes' : 'no', String(i % 3), `id${i}`, null]),
    })
    const counted = (await (await post('/api/inspect', { file: await namedFile() })).json()) as {
      columns: { guess: string }[]
    }
    expect(counted.columns.map(({ guess }) => guess)).toEqual(['mode', 'mode', 'count'])
    await api(`/api/files/${sent.id}`, { method: 'DELETE' })
  })
})
