import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, hasBrowser, openBrowser } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** The library as it would be published, in other runtimes, behind other bundlers, and in a page without any. */

const { path } = testFolder()
const core = fileURLToPath(new URL('../../packages/core', import.meta.url))
const run = promisify(execFile)

/** Runtimes and a bundler, from the registry: name ← package. This process is the oldest Node that is supported, or newer. */
const TOOLS = { node22: 'npm:node@22', node24: 'npm:node@24', deno: 'deno@2', bun: 'bun@1', esbuild: 'esbuild@0' }

/** Why there are none of these tools, if the registry does not give them. They are installed while the first tests run. */
let missing: Promise<string | undefined>

const tool = (name: string): string => path(`tools/node_modules/${name}`)

/** A small fit, and one on threads: the same numbers everywhere. */
const PROGRAM = `
import { fit, tensorFromRows } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { randomTensor } from '@polyad/core/conformance'
const small = tensorFromRows(Array.from({ length: 200 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 3, c: (i * 7) % 5, d: (i * i) % 7 > 3 })))
const one = await fit(small, { rank: 4, seed: 1, maxPasses: 2000 })
const session = await wasmEngine({ threads: 2 }).open(randomTensor({ shape: [3000, 2000, 70], cells: 100_000 }))
const two = await fit(session, { rank: 3, starts: 1, maxPasses: 5 })
console.log(JSON.stringify([one.loss, ...one.model.shares, two.loss, ...two.model.shares, session.sweeps !== undefined, ...two.notes]))
await session.close()
`

/** What a page is for that has three classes to find in a small table. */
const PAGE = `
import { fit, tensorFromRows } from '@polyad/core'
const rows = Array.from({ length: 200 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 3, c: (i * 7) % 5, d: (i * i) % 7 > 3 }))
globalThis.outcome = fit(tensorFromRows(rows), { rank: 3, maxPasses: 1000 }).then(({ loss, notes }) => [loss, ...notes])
`

beforeAll(() => {
  mkdirSync(path('node_modules/@polyad/core'), { recursive: true })
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', path('')], {
    cwd: core,
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['xzf', path(filename), '--strip-components=1', '-C', path('node_modules/@polyad/core')])
  writeFileSync(path('package.json'), '{"type":"module","private":true}')
  writeFileSync(path('program.mjs'), PROGRAM)
  writeFileSync(path('page.js'), PAGE)
  writeFileSync(path('index.html'), '<!doctype html><script type="module" src="/page.js"></script>')
  mkdirSync(path('tools'))
  const dependencies = Object.fromEntries(
    Object.entries(TOOLS).map(([name, from]) => [name, from.replace(/^(?!npm:)[^@]+@/, '')]),
  )
  writeFileSync(path('tools/package.json'), JSON.stringify({ private: true, dependencies }))
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--fetch-retries=1']
  missing = run('npm', ['install', ...flags], { cwd: path('tools'), timeout: 240_000 }).then(
    () => undefined,
    error => `the registry does not give the runtimes: ${(error as Error).message.split('\n')[0]}`,
  )
}, 120_000)
// The folder is removed only then.
afterAll(() => missing, 300_000)

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.map': 'application/json' }

/** A static server of a folder; it keeps the bytes after gzip of every script that was asked for. */
const serve = async (folder: string) => {
  const scripts = new Map<string, number>()
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : decodeURIComponent(String(request.url).split('?')[0])
    const file = join(folder, name)
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end()
      return
    }
    const bytes = readFileSync(file)
    if (name.endsWith('.js')) scripts.set(name, gzipSync(bytes, { level: 9 }).length)
    response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, scripts, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

describe.skipIf(!hasBrowser)(`a page in headless Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  let browser: Browser
  let expected: unknown
  beforeAll(async () => {
    browser = await openBrowser()
    writeFileSync(path('here.mjs'), `${PAGE}\nconsole.log(JSON.stringify(await globalThis.outcome))`)
    expected = JSON.parse((await run(process.execPath, ['here.mjs'], { cwd: path('') })).stdout)
  })
  afterAll(() => browser?.close())

  /** Opens the page of a folder; gives the scripts that it has asked for. */
  const open = async (folder: string): Promise<ReadonlyMap<string, number>> => {
    const { server, scripts, address } = await serve(folder)
    const page = await browser.newPage()
    try {
      const faults: string[] = []
      page.on('pageerror', error => faults.push(error.message))
      await page.goto(address)
      expect([await page.evaluate('outcome'), faults]).toEqual([expected, []])
      return new Map(scripts)
    } finally {
      await page.close()
      server.close()
    }
  }

  it('fits without a bundler: an import map, and the files of the package', async () => {
    mkdirSync(path('plain'))
    const map = { imports: { '@polyad/core': '/node_modules/@polyad/core/dist/index.js' } }
    writeFileSync(
      path('plain.html'),
      `<!doctype html><script type="importmap">${JSON.stringify(map)}</script><script type="module" src="/page.js"></script>`,
    )
    execFileSync('cp', ['-r', path('node_modules'), path('page.js'), path('plain')])
    execFileSync('cp', [path('plain.html'), path('plain/index.html')])
    expect((await open(path('plain'))).size).toBeGreaterThan(10)
  })

  it('fits behind Vite, and loads less than 62.2 KB', async () => {
    await build({ root: path(''), logLevel: 'silent', build: { outDir: path('vite'), emptyOutDir: false } })
    const scripts = [...(await open(path('vite')))]
    const workers = scripts.filter(([name]) => /worker/.test(name))
    expect(workers.length).toBeLessThan(scripts.length)
    const own = scripts.filter(each => !workers.includes(each))
    expect(own.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(62_200)
  })

  it.each([
    ['one file', ['--format=iife']],
    ['several files', ['--format=esm', '--splitting']],
  ])('fits behind esbuild: %s', { timeout: 300_000 }, async (name, flags) => {
    const reason = await missing
    if (reason !== undefined) return void console.warn(reason)
    const folder = path(`esbuild ${name}`)
    await run(tool('.bin/esbuild'), ['page.js', '--bundle', '--minify', ...flags, `--outdir=${folder}`], {
      cwd: path(''),
    })
    writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>')
    await open(folder)
  })
})

const outcomeOf = async (command: string, ...args: readonly string[]) =>
  JSON.parse((await run(command, [...args, 'program.mjs'], { cwd: path(''), timeout: 120_000 })).stdout) as unknown[]

it('Node 22 and 24, Deno and Bun find the same numbers to the last bit, with threads', async context => {
  const here = await outcomeOf(process.execPath)
  expect(here.at(-1)).toBe(true)
  const reason = await missing
  if (reason !== undefined) context.skip(reason)
  expect(await outcomeOf(join(tool('node22'), 'bin/node'))).toEqual(here)
  expect(await outcomeOf(join(tool('node24'), 'bin/node'))).toEqual(here)
  expect(await outcomeOf(tool('.bin/deno'), 'run', '-A')).toEqual(here)
  expect(await outcomeOf(tool('.bin/bun'))).toEqual(here)
}, 300_000)
