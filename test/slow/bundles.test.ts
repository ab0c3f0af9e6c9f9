import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { wasmEngine } from '../../packages/core/src/engine/wasm/wasm-engine.ts'
import { bundled, type Outcome } from '../bundled-program.ts'
import { testFolder } from '../test-folder.ts'

/** Programs that bundlers have made one file of, far from this package, in Node. */

const { path } = testFolder()

const run = (file: string, flags: readonly string[] = []): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [said, wrong] = ['', '']
    child.stdout.on('data', text => {
      said += text
    })
    child.stderr.on('data', text => {
      wrong += text
    })
    child.on('close', code => (code === 0 ? resolve(JSON.parse(said)) : reject(new Error(wrong))))
  })

let programs = 0
const programFile = async (format: 'esm' | 'cjs', engine = '{}') => {
  const folder = path(`program${++programs}`)
  mkdirSync(folder)
  const then = 'globalThis.outcome.then(outcome => console.log(JSON.stringify(outcome)))'
  const file = `${folder}/program.${format === 'esm' ? 'mjs' : 'cjs'}`
  writeFileSync(file, await bundled(`${folder}/source.mjs`, { format, engine, then }))
  return file
}

it.each(['esm', 'cjs'] as const)('one file (%s) uses threads, and gives the same bits', async format => {
  expect(await run(await programFile(format))).toEqual({ same: true, threads: true, notes: [] })
})

it('a program can say where the worker script is, or make workers itself', async () => {
  const script = new URL('../../packages/core/bundle/worker.js', import.meta.url)
  const workers = "process.getBuiltinModule('node:worker_threads')"
  for (const engine of [
    `{ workerUrl: ${JSON.stringify(script.href)} }`,
    `{ workerFactory: () => new (${workers}.Worker)(${JSON.stringify(fileURLToPath(script))}) }`,
  ])
    expect(await run(await programFile('esm', engine))).toEqual({ same: true, threads: true, notes: [] })
})

it('one thread does the work, with a note, if Node may start none', async () => {
  const { notes, ...outcome } = await run(await programFile('esm'), [
    '--no-warnings',
    '--experimental-permission',
    '--allow-fs-read=*',
  ])
  expect(outcome).toEqual({ same: true, threads: false })
  expect(notes).toHaveLength(2)
  for (const note of notes) expect(note).toMatch(/^One thread does all the work, because no worker thread could be/)
})

it('what is asked for and cannot be had is an error', async () => {
  const absent = programFile('esm', `{ workerUrl: 'file:///no/such/worker.js' }`)
  await expect(run(await absent)).rejects.toThrow(/EngineError: a worker thread failed: Cannot find module/)
  expect(() => wasmEngine({ workerUrl: 7 as never })).toThrow(
    'workerUrl must be an address, as text or as a URL (got 7)',
  )
  expect(() => wasmEngine({ workerFactory: {} as never })).toThrow('workerFactory must be a function')
  expect(() => wasmEngine({ workerUrl: 'a', workerFactory: () => ({}) as never })).toThrow('give one, not both')
})

/** The files that rolldown makes of some names of the library for a page, as they travel: in bytes after gzip. */
const sizesOf = async (...names: readonly string[]) => {
  const entry = fileURLToPath(new URL('../../zz-size.mjs', import.meta.url))
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: id => (id === entry ? id : undefined),
        load: id =>
          id === entry
            ? `import { ${names.join(', ')} } from '@polyad/core'\nglobalThis.used = [${names.join(', ')}]`
            : undefined,
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  const chunks = new Map(output.flatMap(each => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])))
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const other of chunks.get(file)?.imports ?? []) load(other)
  }
  load(output[0].fileName)
  const sizes = new Map([...chunks].map(([file, { code }]) => [file, gzipSync(code, { level: 9 }).length]))
  /** A file that is loaded when it is needed, by the beginning of its name. */
  const later = (name: string): number =>
    [...sizes].reduce((sum, [file, size]) => sum + (!loaded.has(file) && file.startsWith(`${name}-`) ? size : 0), 0)
  return { first: [...loaded].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0), later }
}

it('a page loads what it uses: the sizes that docs/library.md states', async () => {
  const { first, later } = await sizesOf('fit', 'tensorFromRows')
  expect(first).toBeLessThan(58_500)
  // Kernels of more classes: a search of four takes those of rank 10 too, one of five or six two more of these.
  for (const rank of [10, 12, 14, 16]) {
    expect(later(`rank${rank}`)).toBeGreaterThan(1000)
    expect(later(`rank${rank}`)).toBeLessThan(3000)
  }
  expect(first + later('rank10')).toBeLessThan(60_000)
  // The worker's script, for pages whose bundle has no file for it.
  expect(later('worker-text')).toBeGreaterThan(30_000)
  expect(later('worker-text')).toBeLessThan(70_000)
  expect((await sizesOf('principalComponent', 'tensorFromRows')).first).toBeLessThan(10_800)
})
