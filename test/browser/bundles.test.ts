import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundled, type Outcome } from '../bundled-program.ts'
import { ISOLATION, type LocalServer, localServer } from '../local-servers.ts'
import { browserInTests, CHROMIUM, hasBrowser } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** Programs that bundlers have made one file of, in a page of any server. */

/** Without this, a page may start workers from text. */
const ownScripts = { 'Content-Security-Policy': "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'" }
const worker = readFileSync(fileURLToPath(new URL('../../packages/core/bundle/worker.js', import.meta.url)))

/** Serves the page, its one script and, where it is asked for by this name, the worker script. Any other address is the page. */
const serve = (script: string, type: string, headers: Record<string, string>): Promise<LocalServer> =>
  localServer((request, response) => {
    const [kind, body] =
      request.url === '/program.js'
        ? ['text/javascript', script]
        : request.url === '/copied-worker.js'
          ? ['text/javascript', worker]
          : ['text/html', `<!doctype html><script ${type} src="/program.js"></script>`]
    response.writeHead(200, { ...headers, 'Content-Type': kind }).end(body)
  })

describe.skipIf(!hasBrowser)(`one file in headless Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  const { path } = testFolder()
  const browser = browserInTests()

  const outcomeOf = async (
    format: 'esm' | 'iife',
    headers: Record<string, string>,
    engine = '{}',
  ): Promise<Outcome & { readonly workers: number }> => {
    const entry = path(`${format}/source.mjs`)
    mkdirSync(dirname(entry), { recursive: true })
    const script = await bundled(entry, { format, engine })
    const server = await serve(script, format === 'esm' ? 'type="module"' : '', headers)
    const page = await browser().newPage()
    try {
      let workers = 0
      page.on('worker', () => workers++)
      await page.goto(server.address)
      return { ...((await page.evaluate('outcome')) as Outcome), workers }
    } finally {
      await page.close()
      server.close()
    }
  }

  it.each(['esm', 'iife'] as const)('(%s) uses threads, and gives the same bits', async format => {
    const outcome = await outcomeOf(format, ISOLATION)
    expect(outcome).toMatchObject({ same: true, threads: true, notes: [] })
    expect(outcome.workers).toBeGreaterThan(3)
    expect(await outcomeOf(format, {})).toMatchObject({ same: true, threads: false, notes: [] })
  })

  it('works on one thread, with a note, where the page allows no worker but from files', async () => {
    const { notes, ...outcome } = await outcomeOf('esm', { ...ISOLATION, ...ownScripts })
    expect(outcome).toMatchObject({ same: true, threads: false })
    expect(notes[0]).toMatch(/^One thread does all the work, because no worker thread could be started/)
  })

  it('uses threads there if it says where the worker script is', async () => {
    const headers = { ...ISOLATION, ...ownScripts }
    const outcome = await outcomeOf('esm', headers, `{ workerUrl: '/copied-worker.js' }`)
    expect(outcome).toMatchObject({ same: true, threads: true, notes: [] })
    const made = `{ workerFactory: () => new Worker('/copied-worker.js') }`
    expect(await outcomeOf('esm', headers, made)).toMatchObject({ same: true, threads: true, notes: [] })
  })
})
