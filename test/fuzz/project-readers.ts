import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { evaluate, fit, tensorFromRows } from '@polyad/core'
import { modelToNpz } from '@polyad/core/file'
import { fitFigures } from '../../packages/polyad/src/report/figures/fit-figures.ts'
import { ProjectFolder } from '../../packages/polyad/src/studio/project-folder.ts'
import { isPart, partsOf } from '../../packages/polyad/src/studio/project-head.ts'
import { openModelFile, openProjectFile } from '../../packages/studio/src/state/project/open-project.ts'
import { projectFile, projectParts } from '../../packages/studio/src/state/project/project-file.ts'
import { DEFAULTS } from '../../packages/studio/src/state/store/settings.ts'
import { mutate, type Random } from '../mutations.ts'
import { changedNpy, changedZip } from './archives.ts'
import { encode, type FuzzedReader } from './fuzz.ts'
import { changedJson } from './odd-values.ts'
import { overwrite } from './written.ts'

/** Projects of the studio: as one file, and as the server keeps them in a folder. */

type Project = ReturnType<typeof openProjectFile>

const project = async (): Promise<Project> => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    a: i % 2 ? 'x' : 'y',
    b: i % 3 ? 'u' : 'v',
    c: String(i % 5 > 1),
  }))
  const tensor = tensorFromRows(rows)
  const record = async (rank: number) => {
    const result = await fit(tensor, { rank, seed: 1, starts: 1, threads: 1, maxPasses: 50 })
    const figures = fitFigures(tensor, result, 0.5, await evaluate(tensor, result.model))
    const { trace, attempts } = result
    return {
      rank,
      figures,
      file: modelToNpz(result.model, { result: { ...figures, trace, attempts } }),
      trace,
      attempts,
    }
  }
  const fits = [await record(1), await record(2)]
  return {
    name: 'Mine',
    file: { from: 'bytes', name: 'survey.csv', bytes: encode('a,b,c\nx,v,true\n') },
    settings: {
      ...DEFAULTS,
      timeZone: 'Europe/Berlin',
      columns: {
        a: { role: 'mode', recode: [{ from: ['x', 'y'], to: 'both' }], order: ['both', 'w'] },
        b: { bin: 'q5' },
      },
      where: "b = 'v'",
      missing: ['-9'],
      classes: { 2: { names: ['one', null], colours: ['#1150b7', null] } },
    },
    fits: {
      fits,
      recommended: 2,
      reason: 'BIC is lowest for 2 classes',
      stopped: false,
      request: { ...DEFAULTS.fit, graphics: true, covariates: [], line: 'polyad rank x.csv' },
      graphics: 'used',
      read: { modes: ['a', 'b', 'c'], count: 'none' },
      digest: 'ab'.repeat(32),
      data: {
        modes: tensor.modes.map(({ name, labels, ordered }) => ({ name, labels: [...(labels ?? [])], ordered })),
        ...{ cells: tensor.cells, total: tensor.total, rows: 60, dropped: 0, missing: [false, false, false] },
        notes: [{ kind: 'choice', text: 'a is a variable' }],
        digest: 'ab'.repeat(32),
        independence: fits[0].figures,
      },
    },
    rank: 2,
    screen: 'results',
    fitting: null,
  }
}

const changedMember = (bytes: Uint8Array, random: Random, name: string): Uint8Array => {
  if (name.endsWith('.json')) return encode(changedJson(JSON.parse(new TextDecoder().decode(bytes)), random))
  if (name.endsWith('.npy')) return changedNpy(bytes, random, name)
  return name.endsWith('.npz') ? changedZip(changedMember)(bytes, random, name) : mutate(bytes, random)
}

const ID = 'ab'.repeat(16)

/** A folder of projects with one project in it; the bytes are its head, and after a zero the content of a part. */
const opened = async (bytes: Uint8Array, scratch: string): Promise<void> => {
  const folder = new ProjectFolder(scratch)
  const place = join(scratch, ID)
  const at = bytes.lastIndexOf(0)
  mkdirSync(join(place, 'r3'), { recursive: true })
  overwrite(join(place, 'r3', 'project.json'), at < 0 ? bytes : bytes.subarray(0, at))
  if (at < 0) rmSync(join(place, PART), { force: true })
  else overwrite(join(place, PART), bytes.subarray(at + 1))
  // A place in a list is named by its number.
  for (const each of await folder.list())
    if ('damaged' in each && /[{}[\]]|Error|undefined/.test(each.damaged.replace(/(?<=\w)\[\d+\]/g, '')))
      throw new Error(`a reason: ${each.damaged}`)
  const { head } = await folder.read(ID)
  if (head === null) return
  for (const part of partsOf(head)) {
    if (!isPart(part)) throw new Error(`a part called ${part}`)
    const { path } = await folder.partPath(ID, part)
    if (!path.startsWith(place + sep)) throw new Error(`a path outside: ${path}`)
    readFileSync(path)
  }
  await folder.description(ID, head)
}

const DESCRIBED = '{"format":"polyad-project"}'
const { createHash } = await import('node:crypto')
const PART = `${'cd'.repeat(16)}.${createHash('sha256').update(DESCRIBED).digest('hex')}`
const HEAD = {
  ...{ format: 'polyad-kept-project', version: 1, name: null, title: 'Mine', saved: '2026-01-02T03:04:05.678Z' },
  ...{ fitted: 0, bytes: 27, writer: 'tab', sequence: 3, description: PART, fits: null, models: [PART] },
  data: { name: 'x.csv', part: PART, bytes: 27, served: true },
}
const onDisk = (head: string) => encode(`${head}\0${DESCRIBED}`)

export const PROJECTS: readonly FuzzedReader[] = [
  {
    name: 'a file of a project',
    samples: async () => {
      const whole = await project()
      return [projectFile(whole), projectFile({ ...whole, file: null, fits: null, rank: null })]
    },
    read: bytes => projectParts(openProjectFile(bytes)),
    change: changedZip(changedMember),
  },
  {
    name: 'a model opened in the page',
    samples: async () => (await project()).fits?.fits.map(({ file }) => file) ?? [],
    read: bytes => projectParts(openModelFile('model.npz', bytes)),
    change: changedZip(changedMember),
  },
  {
    name: 'a folder of projects',
    samples: () => [onDisk(JSON.stringify(HEAD)), onDisk(JSON.stringify({ ...HEAD, data: { name: 'x', path: '/x', bytes: 1, modified: 1 } }))],
    read: opened,
    change: (_, random) => onDisk(changedJson(HEAD, random)),
    text: true,
  },
] // biome-ignore format: a list
