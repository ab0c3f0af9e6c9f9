import { writeZip } from '@polyad/core/file'
import { omit } from '@polyad/core/options'
import type { DataFile } from '../../worker/protocol.ts'
import { safeName } from '../store/files.ts'
import type { Settings } from '../store/settings.ts'
import type { BegunFit, Fits, Screen } from '../store/store.ts'

/** All that a person has done here. */
export interface Project {
  /** What the person calls it; null where it has the name of its data. */
  readonly name: string | null
  readonly file: DataFile | null
  readonly settings: Settings
  readonly fits: Fits | null
  readonly rank: number | null
  readonly screen: Screen
  /** The fit that was under way, if one was; earlier versions did not say which. */
  readonly fitting: BegunFit | 'unknown' | null
}

/**
 * A project in the parts that are stored: in the browser's own storage, and as members of one file. Figures, traces and attempts are
 * in the models' files.
 */
export interface ProjectParts {
  /** What was chosen, and what was fitted, for JSON. */
  readonly description: unknown
  readonly fits: unknown
  readonly data: Uint8Array | null
  /** One for each fit, in order. */
  readonly models: readonly Uint8Array[]
}

export const FORMAT = 'polyad-project'
export const VERSION = 1
export const DESCRIPTION = 'project.json'

export const projectParts = ({ file, fits, fitting, ...rest }: Project): ProjectParts => ({
  description: {
    format: FORMAT,
    version: VERSION,
    ...rest,
    file: describedFile(file),
    fitting: fitting !== null,
    ...(fitting !== null && fitting !== 'unknown' && { begun: fitting }),
  },
  fits: fits === null ? null : { ...fits, fits: fits.fits.map(({ rank }) => rank) },
  data: file?.from === 'bytes' ? file.bytes : null,
  models: fits?.fits.map(fit => fit.file) ?? [],
})

/** Of data in the page, all but the data itself. */
const describedFile = (file: DataFile | null) => (file?.from === 'bytes' ? omit(file, 'bytes') : file)

/** The bytes of a project's file. */
export const projectFile = (own: Project): Uint8Array => {
  const { description, fits, data, models } = projectParts(own)
  const written = JSON.stringify({ ...(description as object), fits }, null, 1)
  const members = new Map<string, Uint8Array>([[DESCRIPTION, new TextEncoder().encode(written)]])
  if (data !== null) members.set(`${DATA}${safeName(own.file?.name ?? '') || 'table'}`, data)
  own.fits?.fits.forEach(({ rank }, i) => void members.set(modelMember(rank), models[i]))
  return writeZip(members)
}

/** Where the data is in it, and a model. */
export const DATA = 'data/'
export const modelMember = (rank: number): string => `models/${rank}.npz`

const beginsWith = (bytes: Uint8Array, pattern: RegExp): boolean =>
  pattern.test(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))

/** Whether bytes are those of a project's file, by the member it begins with. */
export const isProjectFile = (bytes: Uint8Array): boolean => beginsWith(bytes, /^PK[\s\S]{28}project\.json/)

/** Whether bytes are those of a model's file: an archive that begins with its description, or JSON that says so. */
export const isModelFile = (bytes: Uint8Array): boolean =>
  beginsWith(bytes, /^(PK[\s\S]{28,60}model\.json|\s*\{\s*"format":\s*"polyad-model")/)
