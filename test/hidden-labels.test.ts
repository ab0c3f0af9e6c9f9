import { expect, it } from 'vitest'
import { polyad } from './run-polyad.ts'
import { testFolder } from './test-folder.ts'

/** Labels and names that would change a terminal, or what is read on it. */

const { file, path } = testFolder()
/** As patterns, which hold none of them: control characters, changes of direction, no width. */
const UNSEEN = /[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u
const unseenIn = (text: string) => text.split('\n').filter(line => UNSEEN.test(line))
const HIDDEN = ['yes\u202eon', 'no\u200b', '\u009b2Jx', 'b\u2066c']

it('a terminal is sent no control character, change of direction or hidden character of the data', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `${HIDDEN[i % 4]},${i % 3 === 0 ? 'u' : 'v'},${i % 5}`)
  const data = file('hidden.csv', `na\u202eme,b,c\n${rows.join('\n')}\n`)
  const said = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await polyad(args)
    expect(code, stderr).toBe(0)
    return { stdout, stderr }
  }
  const fitted = await said(['fit', data, '-k', '2', '--starts', '2', '-o', path('model.json')])
  const shown = await said(['show', path('model.json')])
  for (const text of [fitted.stdout, fitted.stderr, shown.stdout, shown.stderr]) expect(unseenIn(text)).toEqual([])
  expect(shown.stdout).toContain('yes\\u202eon')
  expect(shown.stdout).toContain('na\\u202eme')
  // The data itself is as it was.
  const record = JSON.parse((await said(['show', path('model.json'), '--json'])).stdout)
  expect(JSON.stringify(record)).toContain('yes\u202eon')
})

it('nor by an error that quotes it', async () => {
  const data = file('wrong.csv', 'a,n\nx,\u009b2J\u202e1\ny,2\n')
  const { code, stderr } = await polyad(['fit', data, '-k', '2', '--count', 'n'])
  expect(code).toBe(1)
  expect(stderr).toContain('\\u202e1')
  expect(unseenIn(stderr)).toEqual([])
})
