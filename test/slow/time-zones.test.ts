import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTables, type Tables } from '../../packages/polyad/src/duckdb/client.ts'
import { openView } from '../../packages/polyad/src/source/duck-view.ts'
import { openTable } from '../../packages/polyad/src/table/memory/memory-table.ts'
import { readView, type TableOptions } from '../../packages/polyad/src/table/reading/read-view.ts'
import type { TableView } from '../../packages/polyad/src/table/view/view.ts'
import { readParquet } from '../../packages/studio/src/worker/parquet.ts'
import { objectOf, polyad } from '../run-polyad.ts'
import { testFolder } from '../test-folder.ts'

/** Points in time are cut by the clocks of the requested zone, wherever the reader and the machine are. */

const { file, path } = testFolder()
let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

/** Before and after both changes of clocks in Berlin in 2024, on the last evening of 2023, and on an evening in summer. */
const INSTANTS = [
  1711844100, 1711845900, 1711847700, 1711849500, 1729988100, 1729989900, 1729991700, 1729993500, 1729995300,
  1704065400, 1719858000,
]

/** By Python: Counter(datetime.fromtimestamp(t, ZoneInfo(zone)).strftime('%H:00') for t in INSTANTS). */
const HOURS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  UTC: { '00:00': 4, '01:00': 4, '02:00': 1, '18:00': 1, '23:00': 1 },
  'Europe/Berlin': { '00:00': 1, '01:00': 2, '02:00': 4, '03:00': 3, '20:00': 1 },
  'America/New_York': { '14:00': 1, '18:00': 1, '20:00': 4, '21:00': 4, '22:00': 1 },
  'Asia/Kathmandu': { '00:00': 1, '05:00': 1, '06:00': 4, '07:00': 4, '08:00': 1 },
  'Australia/Lord_Howe': { '04:00': 1, '10:00': 1, '11:00': 4, '12:00': 4, '13:00': 1 },
}

/** The same with '%Y-%m-%d'. */
const DAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  UTC: { '2023-12-31': 1, '2024-03-31': 4, '2024-07-01': 1, '2024-10-27': 5 },
  'Asia/Kathmandu': { '2024-01-01': 1, '2024-03-31': 4, '2024-07-02': 1, '2024-10-27': 5 },
}

const iso = (time: number) => new Date(time * 1000).toISOString().slice(0, 19)
const csv = (times: readonly unknown[]) => `time,g\n${times.map((time, i) => `"${time}",${i % 2}`).join('\n')}\n`
/** What a clock shows that is so many minutes ahead of UTC, and how far it is. */
const shifted = (time: number, minutes: number, between = '') => {
  const digits = (n: number) => String(Math.floor(n)).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${digits(Math.abs(minutes) / 60)}${between}${digits(Math.abs(minutes) % 60)}`
  return [iso(time + 60 * minutes), offset] as const
}
const mail = (time: number) => new Date(time * 1000).toUTCString()

/** One file in every way of writing that says how far it is from UTC. */
const WRITTEN: readonly (readonly [name: string, content: string])[] = [
  ['z.csv', csv(INSTANTS.map(time => `${iso(time)}Z`))],
  ['offsets.csv', csv(INSTANTS.map((time, i) => shifted(time, (i - 5) * 75, ':').join('')))],
  [
    'blank.csv',
    csv(
      INSTANTS.map((time, i) =>
        shifted(time, (i - 5) * 75)
          .join(' ')
          .replace('T', ' '),
      ),
    ),
  ],
  ['minutes.csv', csv(INSTANTS.map(time => `${iso(time).slice(0, 16)}+00:00`))],
  ['mail.csv', csv(INSTANTS.map(mail))],
  ['mail-offset.csv', csv(INSTANTS.map(time => mail(time - 4 * 3600).replace('GMT', '-0400 (EDT)')))],
  ['seconds.csv', csv(INSTANTS)],
  ['microseconds.csv', csv(INSTANTS.map(time => `${time}000001`))],
  ['nanoseconds.csv', csv(INSTANTS.map(time => `${time}000000256`))],
  ['records.json', JSON.stringify(INSTANTS.map((time, i) => ({ time: `${iso(time)}Z`, g: i % 2 })))],
  ['offsets.json', JSON.stringify(INSTANTS.map((time, i) => ({ time: shifted(time, 330, ':').join(''), g: i % 2 })))],
]

const countsOf = async (view: TableView, options: TableOptions) => {
  const { tensor, notes, recipe } = await readView(view, options)
  const n = tensor.modes.findIndex(({ name }) => name === 'time')
  const { marginals, modes } = tensor
  const counts = Array.from(marginals[n], (count, j) => [String(modes[n].label(j)), count] as const)
  return { counts: Object.fromEntries(counts.filter(([, count]) => count > 0)), notes, recipe }
}

const bothWays = async (name: string, bytes: Uint8Array, options: TableOptions) => {
  const duck = { ...(await openView(tables, [path(name)], options)), release: async () => {} }
  const memory = await openTable({ name: path(name), bytes }, { parquet: readParquet })
  const [first, second] = [await countsOf(duck, options), await countsOf(memory, options)]
  expect(second).toEqual(first)
  return first
}

describe('points in time', () => {
  it.each(WRITTEN)('in %s', async (name, content) => {
    file(name, content)
    for (const [timeZone, hours] of Object.entries(HOURS)) {
      const found = await bothWays(name, new TextEncoder().encode(content), { bins: ['time:hour'], timeZone })
      expect(found.counts, timeZone).toEqual(hours)
      expect(found.notes).toContainEqual({ kind: 'choice', text: `times are read in ${timeZone}: time` })
      expect(found.recipe.modes[0].binning).toMatchObject({ kind: 'date', part: 'hour', zone: timeZone })
    }
  })

  it('in Parquet, whatever zone it names', async () => {
    const rows = INSTANTS.map((time, i) => `(make_timestamptz(${time}000000), ${i % 2})`)
    await tables.run(
      `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS t(time, g)) TO '${path('t.parquet')}' (FORMAT parquet)`,
    )
    const bytes = readFileSync(path('t.parquet'))
    for (const [timeZone, days] of Object.entries(DAYS))
      expect((await bothWays('t.parquet', bytes, { bins: ['time:date'], timeZone })).counts).toEqual(days)
    const { counts, notes } = await bothWays('t.parquet', bytes, { bins: ['time:hour'] })
    expect(counts).toEqual(HOURS.UTC)
    expect(notes.map(({ text }) => text)).toContain(
      "times are read in UTC: time; for another zone, use timeZone 'Europe/Berlin'",
    )
  })

  it('are told from what a clock showed, which is taken as written', async () => {
    const plain = csv(INSTANTS.map(iso))
    file('plain.csv', plain)
    const options = { bins: ['time:hour'], timeZone: 'Asia/Kathmandu' }
    const { counts, notes } = await bothWays('plain.csv', new TextEncoder().encode(plain), options)
    expect(counts).toEqual(HOURS.UTC)
    expect(notes.map(({ text }) => text)).toContain('no UTC offset, so taken as written whatever the time zone: time')
    const mixed = csv(INSTANTS.map((time, i) => (i < 3 ? iso(time) : `${iso(time)}Z`)))
    file('mixed.csv', mixed)
    const both = await bothWays('mixed.csv', new TextEncoder().encode(mixed), options)
    // The first three as written, the others by Python as above.
    expect(both.counts).toEqual({ '00:00': 3, '01:00': 1, '05:00': 1, '06:00': 2, '07:00': 3, '08:00': 1 })
    expect(both.notes.find(({ kind }) => kind === 'warning')?.text).toContain('time has both')
  })

  it('need a zone that there is, and a date that is cut', async () => {
    const view = await openTable({ name: 'x.csv', text: csv(INSTANTS.map(iso)) })
    const read = (timeZone: string, bins = ['time:hour']) => readView(view, { timeZone, bins, modes: ['g'] })
    await expect(read('Europe/Berln')).rejects.toThrow(
      'timeZone must be the name of a time zone, such as UTC or Europe/Berlin (got "Europe/Berln"); did you mean Europe/Berlin?',
    )
    await expect(read('+02:00')).rejects.toThrow('(got "+02:00")')
    const { notes } = await read('Europe/Berlin', [])
    expect(notes.map(({ text }) => text)).toContain(
      "timeZone has no effect, because no date is cut; cut one with bins, as in bins 'time:hour'",
    )
  })
})

describe('the same file and model give the same classes', () => {
  it('wherever the machine is', async () => {
    // Hours tell the classes: by day, UTC, they are of one kind, by night of another.
    const rows = Array.from({ length: 240 }, (_, i) => {
      const hour = (i * 7) % 24
      const kind = hour >= 6 && hour < 18 ? 'day' : 'night'
      return `(make_timestamptz(${1704067200 + ((i * 13) % 300) * 86_400 + hour * 3600}000000), '${kind}', '${kind}')`
    })
    await tables.run(
      `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS t(time, a, b)) TO '${path('events.parquet')}' (FORMAT parquet)`,
    )
    const fit = async (TZ: string, model: string) => {
      const options = ['-k', '2', '-m', 'a,b', '--bin', 'time:hour', '--time-zone', 'Europe/Berlin', '--json']
      await polyad(['fit', path('events.parquet'), ...options, '-o', path(model)], { env: { TZ } })
      const { weights, modes, run } = JSON.parse(readFileSync(path(model), 'utf8'))
      return { weights, modes, recipe: run.recipe }
    }
    const classify = async (TZ: string) =>
      objectOf(
        await polyad(['classify', path('west.json'), path('events.parquet'), '--json'], { env: { TZ } }),
        'classify',
      )
    const [west, east] = [await fit('America/New_York', 'west.json'), await fit('Pacific/Auckland', 'east.json')]
    expect(west.recipe.modes[2].binning).toEqual({ kind: 'date', part: 'hour', zone: 'Europe/Berlin' })
    expect(east).toEqual(west)
    expect(await classify('Pacific/Auckland')).toEqual(await classify('America/New_York'))
  })
})
