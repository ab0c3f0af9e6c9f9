import { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../test-folder.ts'
import { readTwice as readTensor } from '../two-readers.ts'

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
      expect(read.notes[0]).toMatchObject({
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

  it('that is called a weight is offered as sampling weights, unless it is whole; zeros are mentioned', async () => {
    const read = await readTensor(
      file(
        'real.csv',
        table('weight', row => `${row}.5`),
      ),
    )
    expect(read.tensor.total).toBe(12)
    expect(read.notes[0]).toEqual(
      expect.objectContaining({
        kind: 'warning',
        text: expect.stringContaining(
          "weight looks like sampling weights: use weights 'weight', or if it says how often a row was seen, count 'weight'; until then every row counts once",
        ),
      }),
    )
    const whole = await readTensor(file('whole.csv', table('weight', row => String(row + 10)))) // biome-ignore format: one call
    expect(textOf(whole)).toContain("if weight holds sampling weights, use weights 'weight'")
    const zeros = await readTensor(
      file(
        'zeros.csv',
        table('n', row => String(row % 2)),
      ),
    )
    expect(zeros.notes[0].text).toContain('N = 6 in 12 rows, of which 6 with n = 0 count for nothing')
  })

  it.each([
    ['"1,88x"', 'a count must be a number ≥ 0 (got "1,88x")'],
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

  it('with commas between thousands is read, and a note says so', async () => {
    const path = file(
      'thousands.csv',
      table('freq', row => (row === 4 ? '"1,880"' : String(row + 10))),
    )
    const found = await readTensor(path)
    expect(found.tensor.total).toBe(12 * 10 + 66 - 14 + 1880)
    expect(textOf(found)).toContain(
      `read as numbers: freq ("1,880" is 1880); if it is a decimal comma, use decimal ','`,
    )
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

describe('counted combinations of which some are there twice', () => {
  const counts = (row: number) => String([911, 538, 44, 456, 3, 43, 2, 279][row % 8] + row)
  const pattern = (i: number) => [...((i * 2654435761) >>> 12).toString(2).padStart(20, '0')].slice(-14)
  it.each(['n', 'freq', 'Anzahl'])('are counted by %s, and added up', async name => {
    const read = await readTensor(file('twice.csv', `${table(name, counts)}a,x,1,100\n`))
    expect(read.source.count).toBe(name)
    expect(read.tensor.values[0]).toBe(1011)
    expect(textOf(read)).toContain(`counting by column ${name}: N = 4,391 in 13 rows`)
  })

  it('may be in several files, each with its own counts', async () => {
    const waves = [1, 2, 3].map(wave => file(`wave${wave}.csv`, table('n', counts)))
    const read = await readTensor(waves)
    expect([read.source.count, read.tensor.values[0]]).toEqual(['n', 3 * 911])
    const told = [1, 2, 3].map(wave => {
      const lines = table('n', counts).trim().split('\n')
      return file(`told${wave}.csv`, lines.map((line, i) => `${i === 0 ? 'wave' : wave},${line}`).join('\n'))
    })
    expect((await readTensor(told)).source.count).toBe('n')
  })

  it('may be few of very many, where the name leaves no doubt', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [...pattern(i), (i * i) % 37].join(','))
    const text = (name: string) => `${[...'abcdefghijklop'].join(',')},${name}\n${rows.join('\n')}\n${rows[0]}\n`
    expect((await readTensor(file('f.csv', text('freq')))).source.count).toBe('freq')
    expect((await readTensor(file('m.csv', text('n')))).source.count).toBeUndefined()
  })

  it('are not answers: codes without gaps, and 99 for missing', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [...pattern(i), i % 9 === 0 ? 99 : (i % 5) + 1].join(','))
    const read = await readTensor(file('c.csv', `${[...'abcdefghijklop'].join(',')},freq\n${rows.join('\n')}\n`))
    expect([read.source.count, read.tensor.modes.some(({ name }) => name === 'freq')]).toEqual([undefined, false])
    expect(read.notes[0].text).toContain('freq is left out, since the other columns are not clearly')
  })
})

describe('a survey with a column n', () => {
  const answer = (i: number, k: number) => ((i * 2654435761) >>> (3 * k)) % 5
  it('that repeats rows is not weighted by it', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 2},${i % 3},${i % 7}`)
    const read = await readTensor(file('repeats.csv', `a,b,n\n${rows.join('\n')}\n`))
    expect([read.tensor.total, read.source.count]).toEqual([200, undefined])
    expect(read.tensor.modes.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(read.notes[0].text).toBe(
      'every row counts once and n is left out, since 194 of 200 rows repeat the other columns of an earlier one; ' +
        "to count by it: count 'n'; to use it as a variable, name it with modes",
    )
    const named = await readTensor(file('repeats.csv', `a,b,n\n${rows.join('\n')}\n`), { modes: ['a', 'n'] })
    expect([named.tensor.shape, named.notes]).toEqual([[2, 7], []])
    const many = Array.from({ length: 101 }, () => rows.join('\n'))
    const large = await readTensor(file('large.csv', `a,b,n\n${many.join('\n')}\n`))
    expect(large.notes[0].text).toContain('since 19,994 of the first 20,000 rows repeat')
  })

  it('that repeats none is not weighted either, whether it is wide or has an identifier', async () => {
    const wide = Array.from(
      { length: 60 },
      (_, i) => `${Array.from({ length: 9 }, (_, k) => answer(i, k)).join(',')},${i % 4}`,
    )
    const read = await readTensor(file('wide.csv', `a,b,c,d,e,f,g,h,i,n\n${wide.join('\n')}\n`))
    expect(read.tensor.total).toBe(60)
    expect(read.notes[0].text).toContain("to count by it: count 'n'")
    const known = Array.from({ length: 60 }, (_, i) => `r${i},${i % 2},${i % 3},${i % 4}`)
    const named = await readTensor(file('id.csv', `id,sex,grade,n\n${known.join('\n')}\n`))
    expect([named.tensor.total, named.notes[0].kind]).toEqual([60, 'warning'])
  })

  it('and one that is no number says nothing of it', async () => {
    const read = await readTensor(file('v.csv', 'a,value\nx,red\ny,blue\nx,blue\ny,red\n'))
    expect(textOf(read)).toBe('variables: a, value')
  })

  it('of two that may count, neither is taken', async () => {
    const lines = cells.map((cell, i) => `${cell.join(',')},${i},${i + 1}`)
    const read = await readTensor(file('two.csv', `q1,q2,q3,n,freq\n${lines.join('\n')}\n`), { modes: ['q1', 'q2'] })
    expect(read.notes[0].text).toContain('both n and freq may hold counts')
  })

  it('may not have a code for missing values: the message names the code, and the way out', async () => {
    const path = file('coded.csv', table('n', row => String(row))) // biome-ignore format: one line
    await expect(readTensor(path, { count: 'n', missing: ['9'] })).rejects.toThrow(
      'coded.csv, line 11, column "n": the count 9 means missing here, and a count cannot be missing; if the code is only for some columns, use missingIn \'q1:9\' instead',
    )
    await expect(readTensor(path, { weights: 'n', missing: ['x', '9.0'] })).rejects.toThrow(
      'the weight 9 means missing',
    )
    expect((await readTensor(path, { count: 'n', missingIn: ['q1:9'] })).tensor.total).toBe(66)
  })

  it('leaves no column without a label in the rows that count: its probabilities would come from nowhere', async () => {
    const path = file('nothing.csv', 'a,b,n\nx,u,0\nx,v,0\ny,,2\nx,,3\ny,,1\n')
    for (const [options, what] of [[{ count: 'n' }, 'count'], [{ weights: 'n' }, 'weight']] as const) // biome-ignore format: one line
      await expect(readTensor(path, { modes: ['a', 'b'], ...options })).rejects.toThrow(
        `column "b" has values only in rows of ${what} 0; leave the column out`,
      )
    expect((await readTensor(path, { modes: ['a'], count: 'n' })).tensor.total).toBe(6)
  })
})
