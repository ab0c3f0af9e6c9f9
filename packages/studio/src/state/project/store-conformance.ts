import type { ProjectChange, ProjectStore } from './project-store.ts'

/** What every store of projects must do. Each check gets a store of its own accord, and throws if something is wrong. */
export type StoreCheck = (store: ProjectStore) => Promise<void>

const same = (found: unknown, wanted: unknown, what: string): void => {
  const [a, b] = [found, wanted].map(value => JSON.stringify(value))
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`)
}

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return (error as { readonly kind?: string }).kind ?? String(error)
  }
}

const text = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes)
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value)

let sequence = 0
const change = (more: Partial<ProjectChange> = {}): ProjectChange => ({
  revision: 0,
  writer: 'one',
  sequence: ++sequence,
  name: null,
  title: 'trees',
  description: { n: 1 },
  ...more,
})
const WHOLE = {
  data: { from: 'bytes', name: 'trees.csv', bytes: bytes('a,b\n1,2\n') },
  results: { fits: { fits: [2, 3] }, models: [bytes('two'), bytes('three')] },
} as const

const entryOf = async (store: ProjectStore, id: string) => (await store.list()).find(each => each.id === id)

export const STORE_CHECKS: Readonly<Record<string, StoreCheck>> = {
  'gives back what was saved, and lists it': async store => {
    const id = await store.create()
    same(await entryOf(store, id), undefined, 'nothing is listed before anything is saved')
    same(await store.save(id, change(WHOLE)), 1, 'revision')
    const { revision, name, parts } = await store.open(id)
    same([revision, name, parts.description, parts.fits], [1, null, { n: 1 }, WHOLE.results.fits], 'project')
    same([text(parts.data), parts.models.map(text)], ['a,b\n1,2\n', ['two', 'three']], 'parts')
    const { title, fitted, data, dataBytes, bytes: size = 0 } = (await entryOf(store, id)) ?? {}
    same([title, fitted, data, dataBytes, size > 8], ['trees', 2, 'trees.csv', 8, true], 'entry')
  },
  'leaves data and results as they are if they are not named': async store => {
    const id = await store.create()
    await store.save(id, change(WHOLE))
    same(
      await store.save(id, change({ revision: 1, description: { n: 2 }, name: 'Wood', title: 'Wood' })),
      2,
      'revision',
    )
    const { name, parts } = await store.open(id)
    same(
      [name, parts.description, text(parts.data), parts.models.map(text)],
      ['Wood', { n: 2 }, 'a,b\n1,2\n', ['two', 'three']],
      'project',
    )
    await store.save(id, change({ revision: 2, data: null, results: { fits: null, models: [] } }))
    const emptied = (await store.open(id)).parts
    same([emptied.data, emptied.fits, emptied.models], [null, null, []], 'parts that were taken away')
    same((await entryOf(store, id))?.fitted, 0, 'fits')
  },
  'refuses a change that does not know the present revision': async store => {
    const id = await store.create()
    await store.save(id, change(WHOLE))
    await store.save(id, change({ revision: 1, writer: 'two', description: { by: 'two' } }))
    same(await faultOf(store.save(id, change({ revision: 1, description: { by: 'one' } }))), 'conflict', 'fault')
    same((await store.open(id)).parts.description, { by: 'two' }, 'what stays')
    same(await store.revision(id), { revision: 2, writer: 'two' }, 'revision')
    same(await store.save(id, change({ revision: 2, description: { by: 'one' } })), 3, 'a change that knows it')
  },
  'lets one of several in that save at once': async store => {
    const id = await store.create()
    await store.save(id, change())
    const all = Array.from({ length: 6 }, (_, i) => store.save(id, change({ revision: 1, writer: `tab ${i}` })))
    const faults = await Promise.all(all.map(faultOf))
    same(faults.toSorted(), [...Array(5).fill('conflict'), 'none'], 'faults')
    same((await store.revision(id)).revision, 2, 'revision')
  },
  'lets a tab follow itself, though an answer was lost; an older change does not replace a newer one': async store => {
    const id = await store.create()
    await store.save(id, change())
    const [older, newer] = [
      change({ revision: 1, description: 'older' }),
      change({ revision: 1, description: 'newer' }),
    ]
    await store.save(id, newer)
    same(await faultOf(store.save(id, older)), 'conflict', 'fault')
    same(await faultOf(store.save(id, change({ revision: 1, description: 'newest' }))), 'none', 'fault')
    same((await store.open(id)).parts.description, 'newest', 'what stays')
  },
  'keeps what a page saves at last, unless another has saved the project since': async store => {
    const id = await store.create()
    await store.save(id, change(WHOLE))
    store.saveAtLast(id, change({ revision: 1, name: 'Late', title: 'Late', description: 'late' }))
    // A page that is opened next: the server may still be receiving it.
    const late = async () => {
      const found = await store.open(id)
      return found.parts.description === 'late' ? found : undefined
    }
    let found = await late()
    for (let i = 0; i < 200 && found === undefined; i++) {
      await new Promise(resolve => setTimeout(resolve, 20))
      found = await late()
    }
    same([found?.revision, found?.name, text(found?.parts.data ?? null)], [2, 'Late', 'a,b\n1,2\n'], 'project')
    await store.save(id, change({ revision: 2, writer: 'two', description: 'of another' }))
    store.saveAtLast(id, change({ revision: 2, description: 'too late' }))
    same(await faultOf(store.save(id, change({ revision: 2, description: 'too late' }))), 'conflict', 'fault')
    same((await store.open(id)).parts.description, 'of another', 'what stays')
  },
  'renames a project, and its tab goes on': async store => {
    const id = await store.create()
    await store.save(id, change(WHOLE))
    same(await store.rename(id, 'Forest', 'Forest'), 2, 'revision')
    same([(await store.open(id)).name, (await entryOf(store, id))?.title], ['Forest', 'Forest'], 'name')
    same(await store.save(id, change({ revision: 1, name: 'Forest' })), 3, 'revision of the tab')
  },
  'keeps the state of a fit beside the project: no revision, and nobody is refused because of it': async store => {
    const id = await store.create()
    await store.save(id, change(WHOLE))
    same(await store.checkpoint(id), null, 'no state yet')
    await store.keepCheckpoint(id, bytes('a long first state'))
    await store.keepCheckpoint(id, bytes('second'))
    same(text(await store.checkpoint(id)), 'second', 'state')
    same(await store.revision(id), { revision: 1, writer: 'one' }, 'revision')
    same(await store.save(id, change({ revision: 1, writer: 'two' })), 2, 'another tab')
    same(text(await store.checkpoint(id)), 'second', 'state after a change')
    same((await store.open(id)).parts.models.map(text), ['two', 'three'], 'parts')
    await store.keepCheckpoint(id, null)
    await store.keepCheckpoint(id, null)
    same(await store.checkpoint(id), null, 'a state that was dropped')
    await store.keepCheckpoint(id, bytes('third'))
    await store.remove(id)
    for (const work of [store.checkpoint(id), store.keepCheckpoint(id, bytes('late'))])
      same(await faultOf(work), 'removed', 'fault')
  },
  'removes a project, and tells the tabs that have it open': async store => {
    const [id, other] = [await store.create(), await store.create()]
    await store.save(id, change(WHOLE))
    await store.save(other, change({ title: 'other' }))
    await store.remove(id)
    same([await entryOf(store, id), (await entryOf(store, other))?.title], [undefined, 'other'], 'list')
    for (const work of [
      store.open(id),
      store.revision(id),
      store.save(id, change({ revision: 1 })),
      store.rename(id, null, ''),
    ])
      same(await faultOf(work), 'removed', 'fault')
  },
}
