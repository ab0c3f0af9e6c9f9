import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as core from '@polyad/core'
import * as engine from '@polyad/core/engine'
import * as file from '@polyad/core/file'
import * as model from '@polyad/core/model'
import * as numeric from '@polyad/core/numeric'
import * as options from '@polyad/core/options'
import * as stats from '@polyad/core/stats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainDocument } from '../packages/charts/src/drawing/plain-document.ts'
import * as charts from '../packages/charts/src/index.ts'
import * as polyad from '../packages/polyad/src/index.ts'
import * as table from '../packages/polyad/src/table/index.ts'
import { check, checked } from './checked-lines.ts'
import { rows, survey } from './example-survey.ts'
import { testFolder } from './test-folder.ts'

/**
 * The `@example` of every exported function and class, out of its doc comment: all are type-checked, all are run, and where a
 * line ends in a literal (`expression // [2, 3]`) the expression must give it, to the decimals that are written.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = testFolder()

interface Example {
  readonly name: string
  readonly lines: readonly string[]
}

/** The examples of what an entry exports by name. */
const examplesOf = (entry: string): Example[] => {
  const text = readFileSync(join(root, entry), 'utf8')
  return [...text.matchAll(/^export \{([^}]+)\} from '([^']+)'/gm)].flatMap(([, names, path]) => {
    const source = readFileSync(join(root, dirname(entry), path), 'utf8')
    const listed = names.split(',').map(each => each.trim()).filter(each => each !== '') // biome-ignore format: one chain
    return listed.map(name => ({ name, lines: exampleIn(source, name) }))
  })
}

const exampleIn = (source: string, name: string): string[] => {
  const declared = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:const|class|function\\*) ${name}\\b`)
  const [, example = ''] = declared.exec(source)?.[1].split('@example') ?? []
  return example.split('\n').flatMap(line => line.replace(/^ \* ?/, '').trimEnd() || [])
}

const all = {
  core: examplesOf('packages/core/src/index.ts'),
  engine: examplesOf('packages/core/src/entries/engine.ts'),
  file: examplesOf('packages/core/src/entries/file.ts'),
  model: examplesOf('packages/core/src/entries/model.ts'),
  numeric: examplesOf('packages/core/src/entries/numeric.ts'),
  options: examplesOf('packages/core/src/entries/options.ts'),
  stats: examplesOf('packages/core/src/entries/stats.ts'),
  charts: examplesOf('packages/charts/src/index.ts'),
  polyad: examplesOf('packages/polyad/src/index.ts'),
  table: examplesOf('packages/polyad/src/table/index.ts'),
}
const every = Object.values(all).flat()

/** All examples as one module: one function each, which is given the names that examples may use. */
const moduleText = (): string => {
  const path = (name: string) => JSON.stringify(join(root, name))
  const names = (examples: readonly Example[]) => examples.map(({ name }) => name).join(', ')
  const functions = every.map(
    ({ name, lines }) => `
  async ${name}({ rows, answers, result, model, session, document }: Fixture) {
    {
      ${lines.map(checked).join('\n      ')}
    }
  },`,
  )
  return `import { ${names(all.core)}, type FitResult, type Row, type Session, type Tensor } from ${path('packages/core/src/index.ts')}
${(['engine', 'file', 'model', 'numeric', 'options', 'stats'] as const).map(entry => `import { ${names(all[entry])} } from ${path(`packages/core/src/entries/${entry}.ts`)}`).join('\n')}
import { ${names(all.charts)} } from ${path('packages/charts/src/index.ts')}
import { ${names(all.polyad)} } from ${path('packages/polyad/src/index.ts')}
import { ${names(all.table)} } from ${path('packages/polyad/src/table/index.ts')}
interface Fixture { rows: Row[]; answers: Tensor; result: FitResult; model: Model; session: Session; document: Document }
type Check = (actual: unknown, literal: string) => void
export const examplesWith = (check: Check) => ({${functions.join('')}
})
`
}

describe('every exported function and class has an example', () => {
  it.each([
    ['core', core, all.core],
    ['core/engine', engine, all.engine],
    ['core/file', file, all.file],
    ['core/model', model, all.model],
    ['core/numeric', numeric, all.numeric],
    ['core/options', options, all.options],
    ['core/stats', stats, all.stats],
    ['charts', charts, all.charts],
    ['polyad', polyad, all.polyad],
    ['polyad/table', table, all.table],
  ] as const)('of %s', (_, entry, examples) => {
    const exported = Object.entries(entry).filter(([, value]) => typeof value === 'function')
    const found = new Set(examples.filter(({ lines }) => lines.length > 0).map(({ name }) => name))
    expect(exported.map(([name]) => name).filter(name => !found.has(name))).toEqual([])
  })
})

it('the examples have the right types', () => {
  // The module lies outside this package, and waits for its results at the top.
  folder.file('package.json', JSON.stringify({ type: 'module' }))
  const options = {
    extends: join(root, 'tsconfig.check.json'),
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [folder.file('examples.ts', moduleText())],
    include: [],
  }
  const config = folder.file('tsconfig.json', JSON.stringify(options))
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
  expect(spawnSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8' }).stdout).toBe('')
})

describe('an example runs', () => {
  type Work = (fixture: object) => Promise<void>
  let examples: Readonly<Record<string, Work>>
  let fixture: object
  const before = process.cwd()
  afterAll(() => process.chdir(before))
  beforeAll(async () => {
    const path = folder.file('examples.ts', moduleText())
    const module = await import(/* @vite-ignore */ pathToFileURL(path).href)
    examples = module.examplesWith(check)
    folder.file('survey.csv', survey)
    mkdirSync(folder.path('page'))
    folder.file('page/index.html', '<!doctype html><title>A page</title>')
    process.chdir(dirname(path))
    const answers = core.tensorFromRows(rows, { count: 'n' })
    const result = await core.fit(answers, { rank: 2 })
    fixture = {
      rows,
      answers,
      result,
      model: result.model,
      session: await engine.wasmEngine().open(answers),
      document: plainDocument(),
    }
  })
  it.each(every.filter(({ lines }) => lines.length > 0))('$name', async ({ name }) => {
    await examples[name](fixture)
  })
})
