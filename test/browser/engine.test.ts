import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { randomTensor } from '../../packages/core/src/engine/conformance.ts'
import { wasmEngine } from '../../packages/core/src/engine/wasm/wasm-engine.ts'
import { fit } from '../../packages/core/src/fit/fit.ts'
import recorded from '../data/digests.json' with { type: 'json' }
import { DIGEST_CASES, numbersOf } from '../digest-cases.ts'
import { ISOLATION, libraryHost } from '../local-servers.ts'
import { browserInTests, CHROMIUM, hasBrowser } from '../studio-browser.ts'

const THREADS = [1, 2, 3, 4, 7]
const DATA = { shape: [3000, 2000, 70], cells: 100_000, missing: 0.01, real: true }
const FIT = { rank: 5, starts: 1, maxPasses: 30, seed: 4 }

/** The same in Node and in the page: fits, and gives the bytes of the model and its loss in hexadecimal. */
const fitted = async (
  fitWith: typeof fit,
  engine: ReturnType<typeof wasmEngine>,
  tensor: ReturnType<typeof randomTensor>,
) => {
  const { model, loss } = await fitWith(tensor, { ...FIT, engine })
  const { shares, factors } = model.parameters
  return Float64Array.from([loss, ...shares, ...factors.flatMap(table => [...table])])
}

/** What the page does: the digest of every fit, in the global `digests`. */
const PAGE = `
import { fit } from '/fit/fit.js'
import { wasmEngine } from '/engine/wasm/wasm-engine.js'
import { randomTensor } from '/engine/conformance.js'
const FIT = ${JSON.stringify(FIT)}
const fitted = ${fitted.toString()}
const hex = buffer => [...new Uint8Array(buffer)].map(byte => byte.toString(16).padStart(2, '0')).join('')
const run = async () => {
  const tensor = randomTensor(${JSON.stringify(DATA)})
  const digests = []
  for (const threads of ${JSON.stringify(THREADS)}) {
    digests.push(hex(await crypto.subtle.digest('SHA-256', await fitted(fit, wasmEngine({ threads }), tensor))))
  }
  return digests
}
globalThis.digests = run()

import * as core from '/index.js'
const numbersOf = ${numbersOf.toString()}
globalThis.recorded = async () => {
  const digests = {}
  for (const example of ${JSON.stringify(DIGEST_CASES)}) {
    const numbers = await numbersOf({ core, randomTensor }, example, 2)
    digests[example.name] = hex(await crypto.subtle.digest('SHA-256', numbers)).slice(0, 32)
  }
  return digests
}
`

const digestInNode = async (threads: number): Promise<string> => {
  const numbers = await fitted(fit, wasmEngine({ threads }), randomTensor(DATA))
  return createHash('sha256').update(new Uint8Array(numbers.buffer)).digest('hex')
}

describe('a fitted model', () => {
  let inline: Promise<string> | undefined
  const expected = () => {
    inline ??= digestInNode(1)
    return inline
  }

  it.each(THREADS)('has the same bits on %i threads in Node', async threads => {
    expect(await digestInNode(threads)).toBe(await expected())
  })

  describe.skipIf(!hasBrowser)(`in headless Chromium (skipped where ${CHROMIUM} is absent)`, () => {
    const browser = browserInTests()

    it.each([
      ['an isolated page, with shared memory', ISOLATION, true],
      ['any other page, without', {}, false],
    ])('has the same bits as in Node on 1, 2, 3, 4 and 7 threads in %s', async (_, headers, isolated) => {
      const host = await libraryHost(PAGE, headers)
      try {
        const page = await browser().newPage()
        const errors: string[] = []
        page.on('pageerror', error => errors.push(error.message))
        await page.goto(host.address)
        expect(await page.evaluate('crossOriginIsolated')).toBe(isolated)
        expect(await page.evaluate('digests').catch(error => [String(error), ...errors])).toEqual(
          await Promise.all(THREADS.map(expected)),
        )
        if (isolated) expect(await page.evaluate('recorded()')).toEqual(recorded)
        await page.close()
      } finally {
        host.close()
      }
    })
  })
})
