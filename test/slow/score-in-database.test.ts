import { Mode, Model } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { openTables } from '../../packages/polyad/src/duckdb/client.ts'
import { literal } from '../../packages/polyad/src/duckdb/sql-text.ts'
import { openDatabaseOf } from '../../packages/polyad/src/engine/open-sql-table.ts'
import {
  classifyInDatabase,
  imputeInDatabase,
  sampleInDatabase,
} from '../../packages/polyad/src/engine/sql/score-in-database.ts'
import { MISSING_TEXTS } from '../../packages/polyad/src/table/view/recipe.ts'
import { testFolder } from '../test-folder.ts'

const folder = testFolder()
const evil = `'); DROP TABLE x; --`

const model = new Model(
  [new Mode('colour', ['blue', evil, 'red']), new Mode('size', [1, 2]), new Mode(evil, ['no', 'yes'])],
  {
    rank: 2,
    sizes: Float64Array.of(60, 40),
    factors: [
      Float64Array.of(0.5, 0.1, 0.3, 0.1, 0.2, 0.8),
      Float64Array.of(0.9, 0.2, 0.1, 0.8),
      Float64Array.of(0.7, 0, 0.3, 1),
    ],
  },
)

const stored = {
  model,
  run: {},
  path: 'model.npz',
  count: undefined,
  weights: undefined,
  recipe: { modes: model.modes.map(({ name }) => ({ column: name })), missing: MISSING_TEXTS },
}

const ROWS: readonly (readonly [string | null, string | null, string | null])[] = [
  ['blue', '1', 'no'],
  [evil, '2.0', 'yes'],
  ['red', null, 'yes'],
  [null, '2', null],
  [null, null, null],
  ['green', '1', 'no'],
  ['NA', '1', 'yes'],
  ['violet', '3', 'yes'],
]

const withDatabase = async (name: string): Promise<string> => {
  const file = folder.path(name)
  const tables = await openTables()
  const value = (text: string | null) => (text === null ? 'NULL' : literal(text))
  const rows = ROWS.map((row, i) => `(${i}, ${row.map(value).join(', ')})`)
  await tables.run(
    `ATTACH ${literal(file)} AS made; USE made; CREATE TABLE rows (id INTEGER, colour VARCHAR, size VARCHAR, "${evil}" VARCHAR); ` +
      `INSERT INTO rows VALUES ${rows.join(', ')}; CREATE TABLE x AS SELECT 1 AS y`,
  )
  await tables.close()
  return file
}

const read = async (file: string, sql: string) => {
  const tables = await openTables()
  try {
    await tables.run(`ATTACH ${literal(file)} AS made (READ_ONLY); USE made`)
    return await tables.rows(sql)
  } finally {
    await tables.close()
  }
}

/** A row as the model takes it: without what it has never seen. */
const known = ([colour, size, last]: (typeof ROWS)[number]) => ({
  colour: ['NA', 'green', 'violet'].includes(colour ?? '') ? null : colour,
  size: size === null || size === '3' ? null : Number(size),
  [evil]: last,
})

describe('rows that stay in DuckDB', () => {
  it('are classified there, in the same database and in another', async () => {
    const file = await withDatabase('rows.duckdb')
    for (const [output, name] of [
      [file, 'scored'],
      [folder.path('other.duckdb'), evil],
    ]) {
      const database = await openDatabaseOf(
        `duckdb://${file}/rows`,
        {},
        `duckdb://${output}/${encodeURIComponent(name)}`,
      )
      const found = await classifyInDatabase(database, stored, { posterior: true })
      await expect(classifyInDatabase(database, stored)).rejects.toThrow('already exists')
      await database.connection.close()
      expect(found).toMatchObject({ rows: 8, total: 8, unseen: [2, 1, 0], absent: [], impossible: 0 })
      expect(found.classes[0].rows + found.classes[1].rows).toBe(8)
      const rows = (await read(
        output,
        `SELECT id, class, class_probability, log_likelihood, posterior_1, posterior_2 FROM "${name}" ORDER BY id`,
      )) as number[][]
      expect(rows).toHaveLength(8)
      for (const [id, named, probability, logLikelihood, ...posterior] of rows) {
        const expected = model.posterior(known(ROWS[id]))
        posterior.forEach((value, k) => {
          expect(value).toBeCloseTo(expected.probabilities[k], 12)
        })
        expect(named).toBe(expected.probabilities[0] >= expected.probabilities[1] ? 1 : 2)
        expect(probability).toBeCloseTo(Math.max(...expected.probabilities), 12)
        expect(logLikelihood).toBeCloseTo(expected.logLikelihood, 10)
      }
      expect(await read(file, 'SELECT y FROM x')).toEqual([[1]])
    }
  })

  it('are filled there, what is known staying as it is', async () => {
    const file = await withDatabase('gaps.duckdb')
    const database = await openDatabaseOf(`duckdb://${file}/rows`, {}, `duckdb://${file}/filled`)
    expect(await imputeInDatabase(database, stored)).toMatchObject({ rows: 8, missing: [3, 2, 2] })
    await database.connection.close()
    const rows = (await read(file, `SELECT id, colour, size, "${evil}" FROM filled ORDER BY id`)) as string[][]
    rows.forEach(([id, ...values]) => {
      const row = ROWS[Number(id)]
      const posterior = model.posterior(known(row)).probabilities
      model.modes.forEach((mode, n) => {
        const text = row[n]
        if (text !== null && text !== 'NA') {
          expect(values[n]).toBe(text)
          return
        }
        const factor = model.parameters.factors[n]
        const chances = Array.from(
          { length: mode.size },
          (_, j) => posterior[0] * factor[2 * j] + posterior[1] * factor[2 * j + 1],
        )
        expect(values[n]).toBe(String(mode.label(chances.indexOf(Math.max(...chances)))))
      })
    })
  })

  it('are drawn there, the same for the same seed, as often as the model says', async () => {
    const file = folder.path('drawn.duckdb')
    const draw = async (table: string, seed: number) => {
      const address = `duckdb://${file}/${table}`
      const database = await openDatabaseOf(address, {}, address)
      await sampleInDatabase(database, model, { rows: 20_000, seed, class: true })
      await database.connection.close()
    }
    await draw('one', 1)
    await draw('again', 1)
    await draw('two', 2)
    expect(await read(file, 'SELECT CAST(count(*) AS INTEGER) FROM (FROM one EXCEPT ALL FROM again)')).toEqual([[0]])
    const [[unlike]] = await read(file, 'SELECT CAST(count(*) AS INTEGER) FROM (FROM one EXCEPT ALL FROM two)')
    expect(unlike).toBeGreaterThan(0)
    const found = (await read(
      file,
      `SELECT class, colour, size, "${evil}", CAST(count(*) AS DOUBLE) FROM one GROUP BY ALL`,
    )) as [number, string, string, string, number][]
    let chiSquared = 0
    for (const [k, colour, size, last, seen] of found) {
      const { shares, factors } = model.parameters
      const at = [colour, size, last].map(
        (label, n) => factors[n][2 * (model.modes[n].indexOf(label) as number) + k - 1],
      )
      const expected = 20_000 * shares[k - 1] * at[0] * at[1] * at[2]
      chiSquared += (seen - expected) ** 2 / expected
    }
    // 12 combinations of the first class, 6 of the second, in which "no" cannot be.
    expect(found).toHaveLength(18)
    expect(chiSquared).toBeLessThan(45)
  })
})
