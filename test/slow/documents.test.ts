import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as core from '@polyad/core'
import * as engine from '@polyad/core/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainDocument } from '../../packages/charts/src/drawing/plain-document.ts'
import { libraryEntries } from '../../scripts/docs/library.mjs'
import { check, checked } from '../checked-lines.ts'
import { type Block, blocksOf, pages, root, stepsOf } from '../document-blocks.ts'
import { writeExampleData } from '../document-data.ts'
import { rows } from '../example-survey.ts'
import { type Ended, polyad, scratchFolder } from '../run-polyad.ts'

/** Every command and every program of the documents, run in a folder with the data that they use. */

const data = scratchFolder()
const folders: { remove: () => void }[] = [data]
beforeAll(() => writeExampleData(data.folder))
afterAll(() => {
  for (const folder of folders) folder.remove()
})

/** A folder for one page, with the files that it names. */
const folderOf = (page: string): string => {
  const scratch = scratchFolder()
  folders.push(scratch)
  cpSync(data.folder, scratch.folder, { recursive: true })
  for (const { language, name, code } of blocksOf(page))
    if (/\.\w+$/.test(name) && language !== 'ts') writeFileSync(scratch.path(name), `${code}\n`)
  return scratch.folder
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
const tested = (page: string, ...languages: string[]) =>
  blocksOf(page).filter(({ language, notRun }) => notRun === undefined && languages.includes(language))

describe('the commands of', () => {
  it.each(pages.filter(page => tested(page, 'sh').length > 0))('%s run, and print what it shows', async page => {
    const folder = folderOf(page)
    let printed = ''
    for (const block of tested(page, 'sh', 'output')) {
      if (block.language === 'output') {
        for (const line of block.code.split('\n'))
          expect(plain(printed), `${page}:${block.line}`).toContain(plain(line))
        continue
      }
      for (const step of stepsOf(block.code)) {
        if (step.kind === 'write') writeFileSync(join(folder, step.file), step.text)
        if (step.kind === 'copy') cpSync(join(folder, step.from), join(folder, step.to, basename(step.from)))
        if (step.kind !== 'run') continue
        // The page has its own survey, in place of the one that all others share.
        if (step.words[0] === 'example') rmSync(join(folder, `${step.words[1]}.csv`), { force: true })
        const words = step.words.map(word => word.replace('duckdb:///data', `duckdb://${folder}/data`))
        const { code, stdout, stderr }: Ended = await polyad(words, { cwd: folder, env: { COLUMNS: '80' } })
        expect(code, `${page}:${block.line}: ${step.line}\n${stderr}`).toBe(0)
        if (step.into !== undefined) writeFileSync(join(folder, step.into), stdout)
        printed += `${stdout}\n${stderr}\n`
        for (const said of step.says)
          expect(plain(stdout + stderr), step.line).toContain(plain(said.replace(/ \(.*/, '')))
      }
    }
  })
})

/** What programs may use without importing it: all names of the library. */
const exported = libraryEntries(root).flatMap(({ entry, declarations }) =>
  declarations.map(({ name, kind }) => ({ entry, name, type: kind === 'type' })),
)
const homeOf = new Map(exported.toReversed().map(each => [each.name, each] as const))
const FIXTURE = ['rows', 'answers', 'result', 'model', 'session', 'document']

const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.check.json'), 'utf8'))
/** Where the source of an entry is: a program outside of the workspace would not find it by name. */
const sourceOf = (entry: string): string => {
  const [path] = compilerOptions.paths[entry] ?? (entry === 'polyad' ? ['packages/polyad/src/index.ts'] : [])
  return path === undefined ? entry : join(root, path)
}

/** A block as a module of its own, which exports one function of the names that blocks may use. */
const moduleOf = ({ code, before }: Block): string => {
  const own = [...code.matchAll(/^import (?:type )?\{[^}]*\} from '[^']+'$/gm)].map(([line]) => line)
  const body = `${before}\n{\n${code
    .replace(/^import (?:type )?\{[^}]*\} from '[^']+'\n?/gm, '')
    .split('\n')
    .map(checked)
    .join('\n')}\n}`
  const imported = new Set(
    own.flatMap(line => (/\{([^}]*)\}/.exec(line)?.[1] ?? '').split(',').map(name => name.trim())),
  )
  const used = new Set(body.match(/\b[A-Za-z_]\w*\b/g) ?? [])
  const declared = new Set(
    [...body.matchAll(/\b(?:const|let|function|interface|type)\s+(\w+)/g)].map(([, name]) => name),
  )
  const needed = [...used].filter(
    name => homeOf.has(name) && !imported.has(name) && !declared.has(name) && !FIXTURE.includes(name),
  )
  const lines = needed.map(name => {
    const home = homeOf.get(name)
    return `import ${home?.type ? 'type ' : ''}{ ${name} } from '${home?.entry}'`
  })
  const read = used.has('readFile') && !imported.has('readFile') ? [`import { readFile } from 'node:fs/promises'`] : []
  const types = `import type { FitResult as Fit_, Model as Model_, Row as Row_, Session as Session_, Tensor as Tensor_ } from '@polyad/core'`
  const imports = [...own, ...lines, ...read, types]
    .join('\n')
    .replace(/from '([^']+)'/g, (_, entry) => `from '${sourceOf(entry)}'`)
  return `${imports}
interface Fixture_ { rows: Row_[]; answers: Tensor_; result: Fit_; model: Model_; session: Session_; document: Document; check: (actual: unknown, literal: string) => void }
export const run = async ({ ${FIXTURE.join(', ')}, check }: Fixture_) => {
{
${body}
}
}
`
}

describe('the programs of', () => {
  const scratch = scratchFolder()
  folders.push(scratch)
  const blocks = pages.flatMap(page => tested(page, 'ts'))
  const fileOf = (block: Block) => scratch.path(`${block.page.replaceAll(/[/.]/g, '-')}-${block.line}.ts`)
  let fixture: object
  const before = process.cwd()
  afterAll(() => process.chdir(before))
  beforeAll(async () => {
    for (const block of blocks)
      writeFileSync(fileOf(block), moduleOf(block).replaceAll('duckdb:///data', `duckdb://${data.folder}/data`))
    writeFileSync(scratch.path('package.json'), '{ "type": "module" }')
    const answers = core.tensorFromRows(rows, { count: 'n' })
    const result = await core.fit(answers, { rank: 2 })
    const session = await engine.wasmEngine().open(answers)
    fixture = { rows, answers, result, model: result.model, session, document: plainDocument(), check }
  })

  it('all pages have the right types', () => {
    const options = {
      extends: join(root, 'tsconfig.check.json'),
      compilerOptions: {
        noUnusedLocals: false,
        noUnusedParameters: false,
        typeRoots: [join(root, 'node_modules/@types')],
        lib: ['ES2023', 'DOM', 'ESNext.Disposable'],
      },
      files: blocks.map(fileOf),
      include: [],
    }
    writeFileSync(scratch.path('tsconfig.json'), JSON.stringify(options))
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', scratch.path('tsconfig.json')], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })

  it.each(blocks.map(block => [block.page, block.line, block] as const))('%s, line %i, run', async (page, _, block) => {
    const folder = folderOf(page)
    for (const step of tested(page, 'sh').flatMap(({ code }) => stepsOf(code)))
      if (step.kind === 'write') writeFileSync(join(folder, step.file), step.text)
    process.chdir(folder)
    const { run } = await import(/* @vite-ignore */ pathToFileURL(fileOf(block)).href)
    await run(fixture)
    expect(readdirSync(folder).length).toBeGreaterThan(0)
  })
})
