import { describe, expect, it } from 'vitest'
import { checkWorkerOptions } from './worker-options.ts'
import { waysOf } from './worker-ways.ts'

describe('where threads come from', () => {
  it('is an address or a function, not both', () => {
    expect(() => checkWorkerOptions({})).not.toThrow()
    expect(() => checkWorkerOptions({ workerUrl: 'worker.js' })).not.toThrow()
    expect(() => checkWorkerOptions({ workerUrl: new URL('file:///worker.js') })).not.toThrow()
    expect(() =>
      checkWorkerOptions({ workerFactory: () => ({ postMessage: () => {}, terminate: () => {} }) }),
    ).not.toThrow()
    const both = { workerUrl: 'worker.js', workerFactory: (() => {}) as never }
    expect(() => checkWorkerOptions(both)).toThrow(/workerUrl cannot be combined with workerFactory/)
    expect(() => checkWorkerOptions({ workerFactory: 'worker.js' as never })).toThrow(
      /workerFactory must be a function that makes a Worker \(got "worker.js"\)/,
    )
    expect(() => checkWorkerOptions({ workerUrl: 3 as never })).toThrow(
      /workerUrl must be an address, as text or as a URL \(got 3\)/,
    )
    expect(() => checkWorkerOptions({ workerUrl: null as never })).toThrow(/workerUrl must be an address/)
  })

  it('is taken as it is asked for, and nothing else', async () => {
    const worker = { postMessage: () => {}, terminate: () => {} }
    const { ways, asked } = waysOf({ workerFactory: () => worker })
    expect(asked).toBe(true)
    expect(await Promise.all(ways.map(way => way(undefined)))).toEqual([worker])
    for (const none of [undefined, null, {}, { postMessage: () => {} }, { postMessage: 1, terminate: 2 }])
      expect(() => waysOf({ workerFactory: () => none as never }).ways[0](undefined)).toThrow(
        /workerFactory must return a Worker/,
      )
    expect(waysOf({ workerUrl: 'worker.js' })).toMatchObject({ asked: true, ways: [expect.any(Function)] })
    expect(waysOf({})).toMatchObject({ asked: false, ways: [expect.any(Function)] })
  })
})
