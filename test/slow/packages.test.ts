import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, expect, it } from 'vitest'
import { testFolder } from '../test-folder.ts'

/** The packages as they would be published, in an empty project. */

const { path, file } = testFolder()
const root = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGES = { '@polyad/core': 'core', '@polyad/charts': 'charts', polyad: 'polyad' } as const

/** The files of each package. */
const contents = new Map<string, string[]>()
const tarballs = new Map<string, string>()

const run = (command: string, args: readonly string[], cwd = path('project')) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const program = (name: string, text: string): string => {
  writeFileSync(path(`project/${name}`), text)
  return run(process.execPath, [name])
}

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(path(`project/node_modules/${name}/package.json`), 'utf8')) as {
    version: string
    exports: Record<string, Record<string, string>>
    scripts?: Record<string, string>
  }

beforeAll(() => {
  mkdirSync(path('project'))
  const dependencies = Object.fromEntries(
    Object.entries(PACKAGES).map(([name, folder]) => {
      const packed = run('npm', ['pack', '--json', '--pack-destination', path('')], join(root, 'packages', folder))
      const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]
      contents.set(
        name,
        files.map(each => each.path),
      )
      tarballs.set(name, path(filename))
      return [name, `file:../${filename}`]
    }),
  )
  file('project/package.json', JSON.stringify({ type: 'module', private: true, dependencies }))
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
})

it.each(Object.keys(PACKAGES))('%s has every file that it exports, and each can be imported', name => {
  const { exports } = manifestOf(name)
  // The schemas are a folder: their files are listed below.
  const entries = Object.keys(exports).filter(entry => !entry.endsWith('*'))
  for (const entry of entries)
    for (const target of Object.values(exports[entry]))
      expect(existsSync(path(`project/node_modules/${name}/${target}`)), target).toBe(true)
  // The worker's script is for a worker alone.
  const imported = entries.filter(entry => entry !== './worker').map(entry => name + entry.slice(1))
  const said = program(
    'imports.mjs',
    `for (const entry of ${JSON.stringify(imported)}) console.log(Object.keys(await import(entry)).length > 0)`,
  )
  expect(said.trim().split('\n')).toEqual(imported.map(() => 'true'))
})

it.each(Object.keys(PACKAGES))(
  '%s holds what it needs and nothing else, and runs nothing when it is installed',
  name => {
    const kinds = [
      /^(package\.json|README\.md|LICENSE)$/,
      /^(dist|bundle)\/[\w./-]+\.(js|js\.map|d\.ts|d\.ts\.map)$/,
      /^src\/[\w./-]+\.ts$/,
      ...(name === 'polyad'
        ? [
            /^bin\/polyad\.js$/,
            /^data\/iris\.csv$/,
            /^site\/[\w./-]+$/,
            /^schema\/[\w-]+\.json$/,
            /^studio\/(index\.html|icon\.svg|assets\.json|examples\/[\w-]+\.csv|assets\/[\w.-]+\.(js|css))$/,
          ]
        : []),
    ]
    const files = contents.get(name) ?? []
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter(file => !kinds.some(kind => kind.test(file)))).toEqual([])
    // The documentation has a page for each test that it links to.
    const code = files.filter(file => !file.startsWith('site/'))
    expect(code.filter(file => /\.test\.|\.bench\.|conformance\.test|tsbuildinfo/.test(file))).toEqual([])
    const { scripts = {} } = manifestOf(name)
    expect(Object.keys(scripts).filter(script => /install|prepare|prepublish/.test(script))).toEqual([])
  },
)

it.each(Object.keys(PACKAGES))('%s is packed as programs that import it expect, with its types', async name => {
  const bytes = new Uint8Array(readFileSync(tarballs.get(name) as string))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.slice().buffer } })
  expect(messages.map(message => formatMessage(message, pkg))).toEqual([])
  const found = await checkPackage(createPackageFromTarballData(bytes))
  // They are modules, for Node 20.19 and newer, where CommonJS can require them; Node 10 and the like know no entries.
  const beside = ['node10', 'node16-cjs']
  const problems = 'problems' in found ? found.problems : [{ kind: 'no types' }]
  const others = problems.filter(each => !beside.includes(String((each as { resolutionKind?: string }).resolutionKind)))
  expect(others).toEqual([])
})

it.each(Object.keys(PACKAGES))('%s has a README whose program runs, and the licence', name => {
  const [readme, licence] = ['README.md', 'LICENSE'].map(each =>
    readFileSync(path(`project/node_modules/${name}/${each}`), 'utf8'),
  )
  expect(licence).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
  file(
    'project/survey.csv',
    `a,b,c\n${Array.from({ length: 90 }, (_, i) => `${i % 2},${(i >> 1) % 3},${(i * 7) % 5 > 2}`).join('\n')}\n`,
  )
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text)
  expect(blocks).toHaveLength(1)
  for (const block of blocks) program('readme.mjs', block)
})

it('the library fits large data on threads', () => {
  const said = program(
    'fit.mjs',
    `import { fit } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { randomTensor } from '@polyad/core/conformance'
const session = await wasmEngine({ threads: 2 }).open(randomTensor({ shape: [3000, 2000, 70], cells: 100_000 }))
const { loss, notes } = await fit(session, { rank: 3, starts: 1, maxPasses: 5 })
console.log(Number.isFinite(loss), session.sweeps !== undefined, notes.length)
await session.close()`,
  )
  expect(said.trim()).toBe('true true 0')
})

it('the command line says its version, fits, and runs DuckDB', () => {
  const bin = path('project/node_modules/.bin/polyad')
  expect(run(bin, ['--version']).trim()).toBe(manifestOf('polyad').version)
  expect(run(bin, ['--help'])).toContain('polyad <command> --help')
  file('project/answers.csv', `a,b\n${Array.from({ length: 40 }, (_, i) => `${i % 2},${(i >> 1) % 3}`).join('\n')}\n`)
  expect(JSON.parse(run(bin, ['fit', 'answers.csv', '-k', '1', '--json']))).toMatchObject({ rank: 1 })
  expect(run(bin, ['fit', 'answers.csv', '-k', '2', '--engine', 'sql', '--json'])).toContain('"rank"')
})
