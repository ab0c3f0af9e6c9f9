import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { polyad } from '../run-polyad.ts'
import { DATA, fittedModel, NEW_ROWS } from '../strange-tables.ts'
import { testFolder } from '../test-folder.ts'

/** Small files are read in memory, others by DuckDB: what commands say and write is the same. With a limit on memory DuckDB reads small files too. */

const files = testFolder()

describe('other commands on a model read small files as they read others', () => {
  const same = async (args: readonly string[], written?: string) => {
    const ways = []
    for (const more of [[], ['--memory', '2GB']]) {
      const { code, stdout, stderr } = await polyad([...args, ...more, '--json'])
      ways.push([code, stdout, stderr, written === undefined ? '' : readFileSync(written, 'utf8')])
    }
    expect(ways[0], args.join(' ')).toEqual(ways[1])
    return ways[0]
  }

  it.each(['plain', 'weighted', 'covariates', 'counted'])(
    'distal, by a model that is %s',
    async name => {
      const model = await fittedModel(files, name)
      const path = files.file('rows.csv', DATA)
      const output = files.path('outcome.csv')
      const others = name === 'covariates' ? [] : [['--outcome', 'x', '--covariates', 'age,zone', '--complete']]
      for (const use of [['--outcome', 'x', '-o', output], ['--outcome', 'class', '--cluster', 'school'], ['--outcome', 'age', '--categories', 'age', '--where', 'age < 40'], ...others]) // biome-ignore format: one list
        expect((await same(['distal', model, path, ...use], use.includes(output) ? output : undefined))[0]).toBe(
          name === 'covariates' && use.includes('age') ? 2 : 0,
        )
      const strange = files.file('strange.csv', NEW_ROWS)
      for (const use of [['--outcome', 'x', '--as', 'number'], ['--outcome', 'a'], ['--outcome', 'school', '--as', 'number'], ['--outcome', 'wt', '--as', 'category']]) // biome-ignore format: one list
        expect((await same(['distal', model, strange, ...use]))[0]).not.toBe(0)
    },
    60_000,
  )

  it.each(['plain', 'weighted', 'counted'])(
    'regress, by a model that is %s',
    async name => {
      const model = await fittedModel(files, name)
      const path = files.file('rows.csv', DATA)
      const [code, , said] = await same(['regress', model, path, '--covariates', 'age,x'])
      expect(code, String(said)).toBe(0)
      await same(['regress', model, path, '--covariates', 'age*zone', '--method', 'bch', '--complete', '--cluster', 'school']) // biome-ignore format: one call
    },
    60_000,
  )

  it.each(['plain', 'cut', 'widths', 'weighted', 'counted', 'covariates'])(
    'report and update, by a model that is %s',
    async name => {
      const model = await fittedModel(files, name)
      const [own, others] = [
        files.file('rows.csv', DATA),
        files.file('new.csv', NEW_ROWS.replaceAll(/,(old|abc),/g, ',33,')),
      ]
      const page = files.path('page.html')
      expect((await same(['report', model, own, '-o', page], page))[0]).toBe(0)
      await same(['report', model, others, '--weights', 'wt', '--complete', '-o', page], page)
      const next = files.path('next.json')
      for (const path of [own, others]) {
        const [code] = await same([
          'update',
          model,
          path,
          '-o',
          next,
          '--decay',
          '0.5',
          '--where',
          "age > 22 or c = 'low'",
        ])
        expect(code).toBe(0)
      }
    },
    60_000,
  )

  it.each(['plain', 'cleaned', 'cut', 'widths', 'counted', 'named'])(
    'impute, by a model that is %s',
    async name => {
      const model = await fittedModel(files, name)
      // Without one of the variables.
      const lacking = NEW_ROWS.replace(/^a,/, 'other,')
      const [path, other] = [files.file('new.csv', NEW_ROWS), files.file('lacking.csv', lacking)]
      const output = files.path('filled.csv')
      const uses = [[], ['-o', output], ['--draws', '3', '--seed', '4', '-o', output], ['--distribution', '-o', output], ['--score', '0.3', '--where', 'age > 30'], ['--score', '--count', 'n']] // biome-ignore format: one list
      for (const use of uses) expect((await same(['impute', model, path, ...use], use.includes(output) ? output : undefined))[0]).toBe(0) // biome-ignore format: one loop
      await same(['impute', model, path, '--draws', '2', '-o', output, '--where', 'wt > 1'], output)
      if (name !== 'cut') await same(['impute', model, other, '-o', output], output)
    },
    60_000,
  )
})
