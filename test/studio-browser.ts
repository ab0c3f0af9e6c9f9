import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** The studio as a person has it: the built command, the built page, the system's Chromium. */

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const hasBrowser = existsSync(CHROMIUM)
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking']
/** WebGPU on Chromium's driver for processors: slow, but the shaders are the same. */
export const WEBGPU_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan']
const command = fileURLToPath(new URL('../packages/polyad/bin/polyad.js', import.meta.url))

/** @param graphics flags for a graphics device; by default there is none */
export const openBrowser = (graphics: readonly string[] = ['--disable-gpu']): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...graphics] })

/** Whether a page has a device by WebGPU: builds of Chromium without its driver for processors have none on machines without a card. */
export const hasAdapter = async (page: Page): Promise<boolean> =>
  (await page.evaluate('navigator.gpu?.requestAdapter()')) != null

export const NO_ADAPTER = 'this browser has no WebGPU adapter'

export interface StartedStudio {
  readonly url: string
  readonly pid: number
  /** The folder in which it keeps projects; null if it keeps none. */
  readonly projects: string | null
  end(signal?: NodeJS.Signals): Promise<void>
}

/** `polyad studio --no-open --port 0 --json`, until it has said its link. Unless a folder is named, its projects go with it. */
export const startStudio = (args: readonly string[] = []): Promise<StartedStudio> =>
  new Promise((resolve, reject) => {
    const own = args.includes('--projects') ? undefined : mkdtempSync(join(tmpdir(), 'polyad-test-projects-'))
    const folder = own === undefined ? [] : ['--projects', own]
    const all = [command, 'studio', ...args, ...folder, '--no-open', '--port', '0', '--json']
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [said, wrong] = ['', '']
    const ended = new Promise<void>(done => child.on('close', () => done()))
    child.stderr.on('data', text => {
      wrong += text
    })
    child.on('close', code => reject(new Error(`the studio ended with ${code}: ${wrong}`)))
    child.stdout.on('data', text => {
      said += text
      if (!said.trimEnd().endsWith('}')) return
      const { url, projects } = JSON.parse(said) as { url: string; projects: string | null }
      const end = async (signal: NodeJS.Signals = 'SIGINT') => {
        child.kill(signal)
        await ended
        if (own !== undefined) rmSync(own, { recursive: true, force: true })
      }
      resolve({ url, projects, pid: child.pid as number, end })
    })
  })

/** A busy machine takes many times as long: a file that the server reads is there after half a minute. In milliseconds. */
const PATIENCE = 60_000

/**
 * The longest that a question to the server is held back, in milliseconds; each by another time. Tests pass with any: one that fails
 * has found something that happens in another order on a slow machine.
 */
const DELAY = Number(process.env.POLYAD_DELAY ?? 0)

/** Within the page, because a browser whose requests are intercepted has no cache. */
const delayQuestions = async (context: BrowserContext): Promise<void> => {
  if (DELAY === 0) return
  await context.addInitScript(longest => {
    const ask = globalThis.fetch
    globalThis.fetch = async (...args) => {
      // What a page sends when it is left goes at once, or never.
      if (!args[1]?.keepalive) await new Promise(resolve => setTimeout(resolve, Math.random() * longest))
      return ask(...args)
    }
  }, DELAY)
}

/** A page on the studio; what goes wrong in it is kept, to be asked about. */
export const visit = async (
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext; faults: string[] }> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  await delayQuestions(context)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(url)
  await page
    .getByRole('button', { name: 'Choose a file' })
    .or(page.getByRole('button', { name: 'Open another file' }))
    .waitFor()
  return { page, context, faults }
}

/** What the tests of a block use: it is started before the first of them, and ended after the last. */
export const forTests = <T>(start: () => Promise<T>, end: (started: T) => unknown): (() => T) => {
  let started: { readonly value: T } | undefined
  beforeAll(async () => {
    started = { value: await start() }
  })
  afterAll(async () => {
    if (started !== undefined) await end(started.value)
  })
  return () => {
    if (started === undefined) throw new Error('this is started before the first test of its block')
    return started.value
  }
}

/** A browser for the tests of a block. @param graphics flags for a graphics device; by default there is none */
export const browserInTests = (graphics?: readonly string[]): (() => Browser) =>
  forTests(
    () => openBrowser(graphics),
    browser => browser.close(),
  )

/** A studio for the tests of a block. */
export const studioInTests = (): (() => StartedStudio) => forTests(startStudio, studio => studio.end())

export interface StudioInBrowser {
  readonly browser: Browser
  readonly studio: StartedStudio
  /** A new page on the studio, in a context of its own. */
  visit(options?: Parameters<Browser['newContext']>[0]): ReturnType<typeof visit>
}

/** A studio and a browser for the tests of a block. */
export const studioInBrowser = (): StudioInBrowser => {
  const [browser, studio] = [browserInTests(), studioInTests()]
  return {
    get browser() {
      return browser()
    },
    get studio() {
      return studio()
    },
    visit: options => visit(browser(), studio().url, options),
  }
}

/** Drops a file on the page, as a person does from a folder. */
export const drop = async (page: Page, name: string, content: string | Uint8Array): Promise<void> => {
  // Bytes are sent as numbers: what goes to a page must be plain.
  const transfer = await page.evaluateHandle(
    ([name, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([typeof content === 'string' ? content : Uint8Array.from(content)], name))
      return data
    },
    [name, typeof content === 'string' ? content : [...content]] as const,
  )
  await page.locator('.open-file').first().dispatchEvent('drop', { dataTransfer: transfer })
}

/** A survey with a known class, a number to cut, codes for missing answers, and a column that is none of these. */
export const survey = (): string => {
  let state = 12345
  const next = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state / 2 ** 31
  }
  const pick = (labels: readonly string[], weights: readonly number[]) => {
    const at = next() * weights.reduce((a, b) => a + b, 0)
    const below = (i: number) => weights.slice(0, i + 1).reduce((a, b) => a + b, 0)
    return labels[labels.findIndex((_, i) => at < below(i))]
  }
  const lines = ['id,trust,vote,"news, how often",age,group']
  for (let i = 1; i <= 400; i++) {
    const k = next() < 0.4 ? 0 : 1
    const vote = next() < 0.05 ? '99' : pick(['1', '2', '3'], k === 0 ? [7, 2, 1] : [1, 3, 6])
    const age = Math.round((k === 0 ? 30 : 55) + 20 * (next() - 0.5))
    lines.push(
      [
        `p${i}`,
        pick(['low', 'middle', 'high'], k === 0 ? [6, 3, 1] : [1, 3, 6]),
        vote,
        pick(['daily', 'weekly', 'never'], k === 0 ? [1, 2, 7] : [7, 2, 1]),
        age,
        k === 0 ? 'young' : 'old',
      ].join(','),
    )
  }
  return `${lines.join('\n')}\n`
}

/** A table whose fits take a while: six classes, not easily told apart. */
export const slowTable = (rows: number): string => {
  let state = 7
  const next = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state / 2 ** 31
  }
  const lines = Array.from({ length: rows }, () => {
    const kind = Math.floor(6 * next())
    return Array.from({ length: 8 }, (_, n) => 'abcd'[next() < 0.6 ? (kind * (n + 1) + n) % 4 : Math.floor(4 * next())])
  })
  return ['v1,v2,v3,v4,v5,v6,v7,v8', ...lines.map(line => line.join(','))].join('\n')
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const useOf = (page: Page, column: string) => page.getByLabel(`Use of ${column}`, { exact: true })

/** Waits until no fit is under way and the classes can be looked at. */
export const fitted = (page: Page) => button(page, 'See the results').waitFor()

/** Waits until all that was done is saved. */
export const saved = (page: Page) => page.locator('.saved-state', { hasText: /^Saved$/ }).waitFor()

/** Good news goes after some seconds, within which a slow machine may not have looked at it. From now on it stays. */
export const keepMessages = (page: { evaluate(work: () => void): Promise<unknown> }): Promise<unknown> =>
  page.evaluate(() => {
    const later = globalThis.setTimeout
    const short = (work: () => void, milliseconds = 0) => (milliseconds < 5000 ? later(work, milliseconds) : 0)
    Object.assign(globalThis, { setTimeout: short })
  })

/** The main menu, of the project. */
export const projectMenu = (page: Page) => page.locator('.menu > summary')
