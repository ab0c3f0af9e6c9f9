import { readFileSync, writeFileSync } from 'node:fs'
import { bootstrap, type Checkpoint, type CheckpointOptions, chooseRank, fit, tensorFromRows } from '@polyad/core'
import { modelToNpz } from '@polyad/core/file'
import { loadModel } from '../../packages/polyad/src/output/model-store.ts'
import { makeReport } from '../../packages/polyad/src/report/page/make-report.ts'
import { tableOf, tableText } from '../../packages/polyad/src/report/tables/table-of.ts'
import { modelText } from '../../packages/polyad/src/report/text/model-text.ts'
import { randomNumbers } from '../mutations.ts'
import { polyad } from '../run-polyad.ts'
import { changedNpy, changedZip } from './archives.ts'
import { encode, type FuzzedReader } from './fuzz.ts'
import { changedJson } from './odd-values.ts'
import { changedCheckpoint } from './sealed.ts'
import { written } from './written.ts'

/** Models, what is recorded with them, and checkpoints. */

const rows = Array.from({ length: 40 }, (_, i) => ({
  colour: ['red', 'blue', 'dark green'][i % 3],
  size: String(i % 5),
  shape: i % 7 < 3 ? 'round' : 'square',
}))

let files: Promise<Uint8Array[]> | undefined
const made = (path: (name: string) => string): Promise<Uint8Array[]> => {
  files ??= makeFiles(path)
  return files
}

/** Commands that write all that a file has room for. */
const makeFiles = async (path: (name: string) => string): Promise<Uint8Array[]> => {
  const random = randomNumbers(5)
  const line = (_: unknown, i: number) => {
    const old = 20 + Math.floor(50 * random())
    const answer = () => (random() < (old > 45 ? 0.8 : 0.2) ? 'yes' : 'no')
    return [answer(), answer(), answer(), answer(), old, i % 2 ? 'east' : 'west'].join()
  }
  writeFileSync(path('made.csv'), `a,b,c,d,age,region\n${Array.from({ length: 120 }, line).join('\n')}\n`)
  const common = ['-k', '2', '--seed', '1', '--starts', '2', '--threads', '1', '--quiet']
  const files = [
    [path('covariates.json'), '--covariates', 'age', '--modes', 'a,b,c,d', '--se'],
    [path('groups.json'), '--groups', 'region', '--modes', 'a,b,c,d'],
  ]
  for (const [file, ...options] of files) {
    const { code, stderr } = await polyad(['fit', path('made.csv'), ...common, '-o', file, ...options])
    if (code !== 0) throw new Error(stderr)
  }
  return files.map(([file]) => encode(JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))))
}

const page = { width: 80, unicode: true, style: (_: unknown, text: string) => text, color: false }

/** Reads a model, and shows what its record says. */
const shown = (path: string): void => {
  const { model, run } = loadModel(path)
  modelText(path, model, run, { labels: 5, marks: 3 }, page as unknown as Parameters<typeof modelText>[4])
  tableText(tableOf('profiles', { models: [{ model, run }] }), 'md')
  if (run.result !== undefined) tableText(tableOf('fit', { models: [{ model, run }] }), 'csv')
  if ((run.result as { covariates?: unknown } | null)?.covariates !== undefined)
    tableText(tableOf('odds', { models: [{ model, run }] }), 'tex')
}

const reported = async (path: string): Promise<void> => {
  const { model, run } = loadModel(path)
  await makeReport(model, { run })
}

const changedModel = (bytes: Uint8Array, random: () => number): Uint8Array =>
  encode(changedJson(JSON.parse(new TextDecoder().decode(bytes)), random))

const tensor = tensorFromRows(rows)
const small = { threads: 1, seed: 3, maxPasses: 20 }
type Given = CheckpointOptions | Checkpoint
let fitted: ReturnType<typeof fit> | undefined

const WORK: Readonly<Record<string, (checkpoint: Given) => Promise<unknown>>> = {
  fit: checkpoint => fit(tensor, { ...small, rank: 2, starts: 2, checkpoint }),
  chooseRank: checkpoint => chooseRank(tensor, { ...small, from: 1, to: 2, starts: 1, checkpoint }),
  bootstrap: async checkpoint => {
    fitted ??= fit(tensor, { ...small, rank: 2, starts: 1 })
    return bootstrap(tensor, (await fitted).model, { threads: 1, seed: 3, replicates: 2, starts: 1, checkpoint })
  },
}

/** Checkpoints of all kinds of work, from its middle and from its end; the first byte says of which. */
const checkpoints = async (): Promise<Uint8Array[]> => {
  const found: Uint8Array[] = []
  for (const [name, work] of Object.entries(WORK)) {
    const stored: Uint8Array[] = []
    await work({ every: 0, name: 'run.ckpt', store: bytes => void stored.push(bytes.slice()), facts: { work: name } })
    found.push(stored[Math.floor(stored.length / 2)], stored[stored.length - 1])
  }
  return found
}

const WORKS = Object.keys(WORK)

const resumed = async (bytes: Uint8Array): Promise<void> => {
  // Which work it is of stands in it, unless that was changed.
  const text = Buffer.from(bytes).toString('latin1')
  const name = WORKS.find(each => text.includes(`work\x04${String.fromCharCode(each.length)}\0\0\0${each}`)) ?? 'fit'
  const result = await WORK[name]({
    every: 1000,
    name: 'run.ckpt',
    store: () => {},
    resume: bytes,
    facts: { work: name },
  })
  checkFinite(result)
}

/** Whatever a file says, no figure may come out of it that is none. */
const checkFinite = (result: unknown): void => {
  const { loss, model } = result as { readonly loss?: number; readonly model?: { readonly shares: Float64Array } }
  if (model === undefined) return
  if (!Number.isFinite(loss) || ![...model.shares].every(Number.isFinite)) throw new Error(`a loss of ${loss}`)
}

export const MODELS: readonly FuzzedReader[] = [
  {
    name: 'a model as .npz',
    samples: async () => [modelToNpz((await fit(tensor, { ...small, rank: 2, starts: 1 })).model, { seed: 1 })],
    read: written('.npz', shown),
    change: changedZip((bytes, random, name) => (name.endsWith('.npy') ? changedNpy(bytes, random, name) : changedModel(bytes, random))), // biome-ignore format: one call
  },
  { name: 'a model as .json', samples: made, read: written('.json', shown), change: changedModel, text: true },
  {
    name: 'a report of a model',
    samples: made,
    read: written('.json', reported),
    change: changedModel,
  },
  { name: 'checkpoint', samples: checkpoints, read: resumed, change: changedCheckpoint },
]
