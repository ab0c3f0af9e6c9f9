import { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { readTensor } from './read-tensor.ts'

const { file } = testFolder()

/** All combinations of three questions, each with how often it was seen. */
const cells = ['a', 'b'].flatMap(a => ['x', 'y', 'z'].flatMap(b => ['1', '2'].map(c => [a, b, c])))
const table = (name: string, counts: (row: number) => string): string =>
  `q1,q2,q3,${name}\n${cells.map((cell, row) => `${cell.join(',')},${counts(row)}`).join('\n')}\n`
const textOf = ({ notes }: { notes: readonly { text: string }[] }) => notes.map(({ text }) => text).join('\n')

describe('a column of counts', () => {
  it.each(['n', 'Freq', 'cases', 'obs', 'Anzahl', 'weight', 'wt', 'w', 'total', 'value'])(
    'is found by its name %s',
    async name => {
      const read = await readTensor(
        file(
          `${name}.csv`,
          table(name, row => String(row + 10)),
        ),
      )
      expect(read.tensor.total).toBe(186)
      expect(read.tensor.modes.map(mode => mode.name)).toEqual(['q1', 'q2', 'q3'])
      expect(read.notes[0]).toEqual({
        kind: 'choice',
        text: `counting by column ${name}: N = 186 in 12 rows (every row once: count 'none')`,
      })
    },
  )

  it('is found where modes are named, and where only a part of the combinations is there', async () => {
    const path = file(
      'some.csv',
      table('n', row => String(row + 10)),
    )
    expect((await readTensor(path, { modes: ['q1', 'q2'] })).tensor.total).toBe(186)
    const patterns = Array.from({ length: 300 }, (_, i) => (i * 7919) % 1024)
    const rows = patterns.map(code => `${[...code.toString(2).padStart(10, '0')].join(',')},${(code % 5) + 1}`)
    const read = await readTensor(file('p.csv', `${[...'abcdefghij'].join(',')},n\n${rows.join('\n')}\n`))
    expect(read.source.count).toBe('n')
  })

  it('may hold weights, and zeros that are spoken of', async () => {
    const read = await readTensor(
      file(
        'real.csv',
        table('weight', row => `${row}.5`),
      ),
    )
    expect(read.tensor.total).toBe(72)
    const zeros = await readTensor(
      file(
        'zeros.csv',
        table('n', row => String(row % 2)),
      ),
    )
    expect(zeros.notes[0].text).toContain('N = 6 in 12 rows, of which 6 with n = 0 count for nothing')
  })

  it.each([
    ['"1,880"', 'a count must be a number ≥ 0 (got "1,880")'],
    ['-3', 'a count must be a number ≥ 0 (got "-3")'],
    ['', 'the count is missing'],
    ['2.5', '"2.5" is not whole, as other counts are'],
  ])('with %s in it is an error that names the cell', async (value, reason) => {
    const path = file(
      'bad.csv',
      table('freq', row => (row === 4 ? value : String(row + 10))),
    )
    const failure = await readTensor(path).catch(error => error)
    expect(failure).toBeInstanceOf(DataError)
    expect(failure.message).toContain(`bad.csv, line 6, column "freq": ${reason}`)
    expect(failure.message).toMatch(/count '(none|freq)'/)
    expect(failure.place).toMatchObject({ line: 6, column: 'freq' })
    expect((await readTensor(path, { count: 'none', modes: ['q1'] })).tensor.total).toBe(12)
  })

  it('with points between thousands is an error too', async () => {
    const path = file(
      'points.csv',
      table('freq', row => (row % 2 === 0 ? `1.${100 + row}` : '17')).replaceAll(',', ';'),
    )
    await expect(readTensor(path)).rejects.toThrow('line 2, column "freq": "1.100" is not whole')
  })

  it('with a fraction is taken where it is named', async () => {
    const path = file(
      'half.csv',
      table('freq', row => (row === 4 ? '2.5' : '1')),
    )
    expect((await readTensor(path, { count: 'freq' })).tensor.total).toBe(13.5)
  })
})

describe('a survey with a column n', () => {
  const answer = (i: number, k: number) => ((i * 2654435761) >>> (3 * k)) % 5
  it('that repeats rows is not weighted by it', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 2},${i % 3},${i % 7}`)
    const read = await readTensor(file('repeats.csv', `a,b,n\n${rows.join('\n')}\n`))
    expect([read.tensor.total, read.source.count]).toEqual([200, undefined])
    expect(read.tensor.modes.map(({ name }) => name)).toEqual(['a', 'b', 'n'])
    expect(textOf(read)).toContain(
      "194 of 200 rows looked at repeat the other columns of an earlier one; to count by it: count 'n'",
    )
  })

  it('that repeats none is not weighted either, whether it is wide or has an identifier', async () => {
    const wide = Array.from(
      { length: 60 },
      (_, i) => `${Array.from({ length: 9 }, (_, k) => answer(i, k)).join(',')},${i % 4}`,
    )
    const read = await readTensor(file('wide.csv', `a,b,c,d,e,f,g,h,i,n\n${wide.join('\n')}\n`))
    expect(read.tensor.total).toBe(60)
    expect(read.notes[0].text).toContain("to count by it: count 'n'")
    const known = Array.from({ length: 60 }, (_, i) => `r${i},${i % 2},${i % 4}`)
    const named = await readTensor(file('id.csv', `id,sex,n\n${known.join('\n')}\n`))
    expect([named.tensor.total, named.notes[0].kind]).toEqual([60, 'warning'])
  })

  it('and one that is no number says nothing of it', async () => {
    const read = await readTensor(file('v.csv', 'a,value\nx,high\ny,low\nx,low\ny,high\n'))
    expect(textOf(read)).toBe('modes: a, value')
  })

  it('of two that may count, neither is taken', async () => {
    const lines = cells.map((cell, i) => `${cell.join(',')},${i},${i + 1}`)
    const read = await readTensor(file('two.csv', `q1,q2,q3,n,freq\n${lines.join('\n')}\n`), { modes: ['q1', 'q2'] })
    expect(read.notes[0].text).toContain('both n and freq may hold counts')
  })
})
