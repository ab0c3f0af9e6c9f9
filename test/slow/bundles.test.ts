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

/** What a page loads for some names of the library, and what it loads later, in bytes after compression. */
const sizeOf = async (...names: readonly string[]): Promise<{ readonly first: number; readonly later: number }> => {
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
  const sizes = output.map(each => [
    each.type === 'chunk' && each.isEntry,
    gzipSync(each.type === 'chunk' ? each.code : each.source, { level: 9 }).length,
  ])
  const sum = (first: boolean) =>
    sizes.reduce((all, [isFirst, size]) => all + (isFirst === first ? Number(size) : 0), 0)
  return { first: sum(true), later: sum(false) }
}

it('a page loads what it uses: the sizes that docs/library.md states', async () => {
  const fit = await sizeOf('fit', 'tensorFromRows')
  expect(fit.first).toBeLessThan(96_000)
  // The worker's script, for pages whose bundle has no file for it.
  expect(fit.later).toBeLessThan(40_000)
  expect((await sizeOf('principalComponent', 'tensorFromRows')).first).toBeLessThan(9_000)
})
