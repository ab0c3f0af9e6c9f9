import { DataError, OptionError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { readTwice as readTensor } from '../../../../test/two-readers.ts'

const { file, path } = testFolder()
const texts = ({ notes }: { notes: readonly { text: string }[] }) => notes.map(({ text }) => text).join('\n')

describe('values that mean missing', () => {
  const data = () => file('m.csv', `a,b\n${'1,yes\n-99,no\nNA,Refused\n2,yes\n3,\n'.repeat(2)}`)
  it('are added to those that always do', async () => {
    const { tensor, recipe } = await readTensor(data(), { missing: ['-99'] })
    expect(tensor.modes.map(({ labels }) => labels)).toEqual([
      [1, 2, 3],
      ['Refused', 'no', 'yes'],
    ])
    expect(recipe.missing).toEqual(['', 'NA', 'NULL', 'NaN', '-99'])
  })

  it('replace them where asked, and not both', async () => {
    const { tensor } = await readTensor(data(), { modes: ['a'], missingOnly: ['-99', ''] })
    expect(tensor.modes[0].labels).toEqual(['1', '2', '3', 'NA'])
    await expect(readTensor(data(), { missing: ['x'], missingOnly: ['y'] })).rejects.toThrow(OptionError)
  })

  it('are pointed out where they look so, once for all columns', async () => {
    const { notes } = await readTensor(data())
    expect(notes.filter(({ text }) => text.includes('may mean missing'))).toMatchObject([
      {
        kind: 'warning',
        text: `counted as answers, but may mean missing: -99 in a, "Refused" in b; if so, add missing '-99', missing 'Refused'`,
      },
    ])
    const likert = Array.from({ length: 40 }, (_, i) => [0, 1, 2, 3, 4, 5].map(q => [1, 2, 3, -9, -8][(i + q) % 5]))
    expect(texts(await readTensor(file('likert.csv', `q1,q2,q3,q4,q5,q6\n${likert.join('\n')}\n`)))).toContain(
      "may mean missing: -9, -8 in q1…q6 (6 columns); if so, add missing '-9', missing '-8'",
    )
    const ages = Array.from({ length: 60 }, (_, i) => `${20 + (i % 50)},${i % 2}`)
    const cut = await readTensor(file('age.csv', `age,s\n${ages.join('\n')}\n999,1\n`), { bins: ['age:q3'] })
    expect(texts(cut)).toContain('may mean missing: 999 in age; if so')
    const numbers = `x,g,h\n${Array.from({ length: 60 }, (_, i) => `${i}.5,${i % 2},${i % 3}`).join('\n')}\n.,1,1\n`
    expect(texts(await readTensor(file('dot.csv', numbers)))).toContain(
      `but not ".": if that means missing, add missing '.'`,
    )
  })
})

describe('names of columns', () => {
  it('are exact first', async () => {
    const data = file('case.csv', 'v1,V1,c\na,x,p\nb,y,q\na,z,p\n')
    const { tensor } = await readTensor(data, { modes: ['V1', 'c'] })
    expect(tensor.modes.map(({ name, labels }) => [name, labels])).toEqual([
      ['V1', ['x', 'y', 'z']],
      ['c', ['p', 'q']],
    ])
    expect((await readTensor(data, { modes: ['v1', 'C'] })).tensor.modes[0].labels).toEqual(['a', 'b'])
    expect((await readTensor(data, { count: 'none' })).tensor.shape).toEqual([2, 3, 2])
  })

  it('that repeat are renamed, and it is said', async () => {
    const read = await readTensor(file('twice.csv', 'a,a,b\nx,u,p\ny,v,q\n'))
    expect(read.tensor.modes.map(({ name }) => name)).toEqual(['a', 'a_2', 'b'])
    expect(read.notes[0].text).toContain('the later ones are called a_2')
  })

  it('are matched between files, exactly first, and differences are said', async () => {
    const first = file('one.csv', 'v1,V1,c\na,x,p\nb,y,q\n')
    const second = file('two.csv', 'V1,v1,d\nx,b,r\n')
    const read = await readTensor([first, second])
    expect(read.tensor.modes.map(({ name, labels }) => [name, labels?.length])).toEqual(
      [
        ['v1', 2],
        ['V1', 2],
        ['c', 2],
        ['d', 1],
      ].slice(0, 3),
    )
    expect(read.notes[0]).toEqual({
      kind: 'warning',
      code: 'columns-absent',
      text: expect.stringContaining('two.csv has no c'),
    })
    const apart = file('apart.csv', 'z\nx\n')
    const failure = await readTensor([first, apart]).catch(error => error)
    expect(failure).toBeInstanceOf(DataError)
    expect(failure.message).toContain('no column in common')
  })
})

describe('labels that differ by case or blanks', () => {
  const data = () => file('health.csv', 'health,s\nGood,1\ngood,1\n"Good ",2\nbad,2\nGood,2\nNa,1\n NA ,2\n')
  it('are pointed out', async () => {
    const { notes } = await readTensor(data())
    const said = notes.filter(({ text }) => text.includes('only in case'))
    expect(said).toHaveLength(1)
    expect(said[0].text).toContain('"Good" and "Good " and "good"')
    expect(said[0].text).toMatch(/join them with trim, with ignoreCase$/)
  })

  it('are joined where asked, under the most frequent spelling', async () => {
    const { tensor, recipe } = await readTensor(data(), { trim: true, ignoreCase: true, missingAs: 'Unknown' })
    expect(tensor.modes[0].labels).toEqual(['bad', 'Good', 'Unknown'])
    expect(recipe).toMatchObject({ trim: true, ignoreCase: true })
    const trimmed = await readTensor(data(), { trim: true, modes: ['health'] })
    expect(trimmed.tensor.modes[0].labels).toEqual(['Good', 'Na', 'bad', 'good'])
  })
})

describe('ways of writing a table', () => {
  const rows = [
    [1, 2, 1],
    [2, 2, 1],
    [1, 1, 2],
    [2, 1, 2],
  ]
  it.each([
    [
      'blanks and no header',
      'w.dat',
      rows.map(row => `  ${row.join('   ')} `).join('\n'),
      ['column1', 'column2', 'column3'],
    ],
    ['blanks and a header', 'h.txt', `a  b c\n${rows.map(row => row.join('\t ')).join('\r\n')}\n`, ['a', 'b', 'c']],
    [
      'names of rows, as R writes',
      'r.txt',
      `"a" "b" "c"\n${rows.map((row, i) => `"${i}" ${row.join(' ')}`).join('\n')}\n`,
      ['a', 'b', 'c'],
    ],
    ['commas and no header', 'n.csv', rows.map(row => row.join(',')).join('\n'), ['column1', 'column2', 'column3']],
    [
      "Excel's line about the separator",
      's.csv',
      `sep=;\r\na;b;c\r\n${rows.map(row => row.join(';')).join('\r\n')}\r\n`,
      ['a', 'b', 'c'],
    ],
  ])('%s', async (_, name, content, modes) => {
    const { tensor } = await readTensor(file(name, content), { exclude: name === 'r.txt' ? ['row'] : [] })
    expect(tensor.modes.map(mode => mode.name)).toEqual(modes)
    expect([tensor.shape, tensor.total]).toEqual([[2, 2, 2], 4])
  })

  it('a header of years or of the numbers of questions is not data', async () => {
    const numbered = await readTensor(file('q.csv', '1,2,3\n1,2,3\n2,2,1\n1,1,3\n2,1,1\n'))
    expect(numbered.tensor.modes.map(({ name }) => name)).toEqual(['1', '2', '3'])
    const { tensor } = await readTensor(file('y.csv', '2019,2020\n1,2\n2,2\n1,1\n2,1\n'))
    expect(tensor.modes.map(({ name }) => name)).toEqual(['2019', '2020'])
  })

  it('a delimiter at the end of every line is not a name of rows', async () => {
    const { tensor } = await readTensor(file('trailing.csv', 'a,b\n1,x,\n2,y,\n3,x,\n'), { modes: ['a', 'b'] })
    expect(tensor.modes.map(({ labels }) => labels)).toEqual([
      [1, 2, 3],
      ['x', 'y'],
    ])
  })

  it('bad lines between blanks have their place', async () => {
    const failure = await readTensor(file('u.dat', '1 2 3\n1 2 1\n\n1 2\n')).catch(error => error)
    expect(failure.message).toContain('u.dat, line 4: it has 2 fields where the first line has 3')
  })

  it('lines that do not end alike are refused, for rows would be lost', async () => {
    const mixed = readTensor(file('mixed.csv', 'a,b\n1,2\r\n2,"3\n4"\r\n'))
    await expect(mixed).rejects.toThrow('mixed.csv, line 2: it ends differently from the first')
    const quoted = await readTensor(file('inside.csv', 'a,b\r\n1,"2\n3"\r\n1,4\r\n'), { modes: ['a', 'b'] })
    expect(quoted.tensor.total).toBe(2)
  })

  it('one column is suspicious', async () => {
    const { notes } = await readTensor(file('single.csv', 'a\nx y\nz\nx y\n'))
    expect(notes[0]).toMatchObject({ kind: 'warning', text: expect.stringContaining('has a single column') })
  })

  it('decimal commas are numbers', async () => {
    const lines = ['1,5;2', '2,25;3', '10;4', '1,5;1']
    const data = file('comma.csv', `x;n\n${lines.join('\n')}\n`)
    const { tensor } = await readTensor(data, { modes: ['x'], count: 'n' })
    expect([tensor.modes[0].labels, [...tensor.values]]).toEqual([
      [1.5, 2.25, 10],
      [3, 3, 4],
    ])
    expect((await readTensor(data, { bins: ['x:1'] })).tensor.modes[0].label(0)).toBe('[1,2)')
    const plain = file('plain.csv', lines.join('\n'))
    expect((await readTensor(plain, { header: false, modes: ['column1'] })).tensor.total).toBe(4)
    const late = file('late.csv', `x;g\n${'1,5;a\n2,5;b\n'.repeat(11_000)}"no, never";a\n`)
    expect((await readTensor(late)).tensor.modes[0].labels).toEqual(['1.5', '2.5', 'no, never'])
    const weighted = await readTensor(data, { modes: ['n'], count: 'x' })
    expect(weighted.tensor.total).toBe(15.25)
  })

  it.each([
    ['x.por', 'a portable SPSS file'],
    ['x.xls', 'an old (.xls, .xlsb) or password-protected spreadsheet, or one of Numbers'],
    ['x.sas7bdat', 'a SAS data set'],
  ])('%s is named, with what to do', async (name, what) => {
    const failure = await readTensor(file(name, 'anything')).catch(error => error)
    expect(failure).toBeInstanceOf(DataError)
    expect(failure.message).toContain(`${path(name)} is ${what}, which Polyad cannot read; export it as CSV or Parquet`)
  })
})

describe('dates', () => {
  const lines = ['31.05.2024 13:45;5/31/2024;1717163100;a;u', '01.12.2023 08:00;12/1/2023;1701417600;b;v']
  const data = () => file('dates.csv', `d;us;timestamp;g;h\n${lines.join('\n')}\n`)
  it('are recognised as people and machines write them', async () => {
    const said = texts(await readTensor(data()))
    for (const name of ['d', 'us', 'timestamp']) expect(said).toContain(`${name} not used: dates or times`)
  })

  it('are cut, and keep how they were written', async () => {
    const { tensor, recipe } = await readTensor(data(), {
      modes: ['g'],
      bins: ['d:hour', 'us:month', 'timestamp:hour'],
    })
    expect(tensor.modes.slice(1).map(({ labels }) => labels)).toEqual([
      ['08:00', '13:00'],
      ['May', 'December'],
      ['08:00', '13:00'],
    ])
    expect(recipe.modes[2].binning).toEqual({ kind: 'date', part: 'month', format: 'month/day/year' })
  })

  it('that read both ways are said to', async () => {
    const both = file('both.csv', 'd,g\n3/4/2024,a\n5/6/2024,b\n')
    expect(texts(await readTensor(both, { bins: ['d:month'] }))).toContain('d is read as month/day/year')
    const british = await readTensor(file('gb.csv', 'd,g\n3/4/2024,a\n25/6/2024,b\n'), { bins: ['d:month'] })
    expect(british.tensor.modes[0].labels).toEqual(['April', 'June'])
  })
})

describe('numbers', () => {
  const column = (distinct: number, rows: number) =>
    Array.from({ length: rows }, (_, i) => `${i % distinct},${i % 2},${i % 3}`)
  it.each([
    [50, 178, true],
    [53, 178, false],
    [63, 178, false],
    [76, 900, false],
    [76, 15_000, false],
    [35, 60, false],
  ])('with %i values in %i rows are modes: %s', async (distinct, rows, taken) => {
    const read = await readTensor(file('num.csv', `x,g,h\n${column(distinct, rows).join('\n')}\n`))
    expect(read.tensor.modes.some(({ name }) => name === 'x')).toBe(taken)
    expect(texts(read)).toContain("bins 'x:q5'")
  })
})

describe('bins are proposed', () => {
  it('for all columns that have many values', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i % 30},${i % 25},${i % 2}`)
    expect(texts(await readTensor(file('fine.csv', `x,y,g\n${lines.join('\n')}\n`)))).toContain(
      "every value is a category of its own in x (30), y (25); to cut them, use bins 'x:q5', bins 'y:q5'",
    )
  })

  it('for none with a handful', async () => {
    const failure = await readTensor(file('three.csv', 'x\n1.5\n2\n3\n')).catch(error => error)
    expect(failure.message).toContain('3 different values in 3 rows: too few rows to tell whether it is a category')
    expect(failure.message).not.toContain('bins')
  })
})

describe('a single column that looks categorical', () => {
  const lines = Array.from({ length: 90 }, (_, i) => `${i % 3},${i * 1.1},${i * 1.3},r${i}`)
  const data = () => file('wine.csv', `cls,alcohol,ash,id\n${lines.join('\n')}\n`)
  it('is refused, with the bins to use', async () => {
    const failure = await readTensor(data()).catch(error => error)
    expect(failure).toBeInstanceOf(OptionError)
    expect(failure.message).toContain(
      "wine.csv has a single column that looks categorical, cls; cut others with bins 'alcohol:q5', bins 'ash:q5', or name the variables with modes:\n" +
        "  alcohol not used: 90 different values in 90 rows. If these are no identifiers, use them as numbers with items 'alcohol', or group them with bins 'alcohol:q5'",
    )
    const alone = file('alone.csv', `cls,id\n${lines.map((_, i) => `${i % 3},r${i}`).join('\n')}\n`)
    await expect(readTensor(alone)).rejects.toThrow('cls; name more with modes:\n  id not used')
  })

  it('is taken where it is named, or all there is', async () => {
    expect((await readTensor(data(), { modes: ['cls'] })).tensor.shape).toEqual([3])
    expect((await readTensor(data(), { bins: ['ash:q5'] })).tensor.shape).toEqual([3, 5])
    expect((await readTensor(file('colours.csv', 'colour,n\nred,7\nblue,9\n'))).tensor.shape).toEqual([2])
  })
})
