import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { StudioWorker } from './client.ts'
import type { Reply, Request } from './protocol.ts'

/** A worker that remembers what it is asked, and answers nothing by itself. */
class FakeWorker {
  static readonly started: FakeWorker[] = []
  readonly asked: Request[] = []
  onmessage: (event: { readonly data: Reply }) => void = () => {}
  onerror: (event: { readonly message: string; preventDefault(): void }) => void = () => {}

  constructor() {
    FakeWorker.started.push(this)
  }

  postMessage(request: Request): void {
    this.asked.push(request)
  }

  terminate(): void {}

  get jobs(): unknown[] {
    return this.asked.map(each => ('job' in each ? [each.job, ...each.args] : ['stop']))
  }
}

vi.stubGlobal('Worker', FakeWorker)
afterEach(() => void FakeWorker.started.splice(0))
afterAll(() => vi.unstubAllGlobals())

it('stops all jobs of a kind, and no others', () => {
  const worker = new StudioWorker()
  for (const rank of [2, 3]) void worker.call('testRank', [rank, 99, 1, {}])
  void worker.call('close', [])
  worker.stop('testRank', 'goodness')
  const [{ asked }] = FakeWorker.started
  expect(asked.slice(3)).toEqual(asked.slice(0, 2).map(({ id }) => ({ id, stop: true })))
})

describe('a model', () => {
  const [file, another] = [Uint8Array.of(1), Uint8Array.of(1)]

  it('is handed over once, before the first question about it', () => {
    const worker = new StudioWorker()
    void worker.call('confusion', [worker.model(file), 'a'])
    void worker.call('confusion', [worker.model(file), 'b'])
    const handle = worker.model(file)
    expect(worker.model(another)).not.toBe(handle)
    expect(FakeWorker.started[0].jobs).toEqual([
      ['hold', handle, file],
      ['confusion', handle, 'a'],
      ['confusion', handle, 'b'],
      ['hold', worker.model(another), another],
    ])
  })

  it('is given back to the worker that follows one that was lost', async () => {
    const worker = new StudioWorker()
    const before = worker.model(file)
    const question = worker.call('describe', [[before]])
    FakeWorker.started[0].onerror({ message: 'out of memory', preventDefault: () => {} })
    await expect(question).rejects.toThrow('out of memory')
    void worker.call('describe', [[worker.model(file)]])
    expect(worker.model(file)).not.toBe(before)
    expect(FakeWorker.started[1].jobs).toEqual([
      ['hold', worker.model(file), file],
      ['describe', [worker.model(file)]],
    ])
  })

  it('is released when it is no longer among those that are kept', () => {
    const worker = new StudioWorker()
    const [kept, released] = [worker.model(file), worker.model(another)]
    worker.keepModels([file])
    worker.keepModels([file])
    expect(worker.model(file)).toBe(kept)
    expect(FakeWorker.started[0].jobs.slice(2)).toEqual([['release', released]])
  })
})
