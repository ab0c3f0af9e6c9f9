import { DataError } from '@polyad/core'

/** What is kept of a project, apart from its parts: small, so that a list of projects is quickly read. */
export interface ProjectHead {
  /** What the person calls it; null if it has the name of its data. */
  readonly name: string | null
  /** What it is called in a list. */
  readonly title: string
  /** When it was saved, in ISO 8601. */
  readonly saved: string
  /** How many fits there are. */
  readonly fitted: number
  /** Bytes of all parts. */
  readonly bytes: number
  /** Who wrote it (one tab, until it is loaded again), and its how manieth writing it was: a tab never conflicts with itself. */
  readonly writer: string
  readonly sequence: number
  readonly description: string
  readonly fits: string | null
  readonly models: readonly string[]
  readonly data: KeptData | null
}

/** The data of a project: a part, or, if it was named on the command line and is too large for a page, the file of the user. */
export type KeptData =
  | { readonly name: string; readonly part: string; readonly bytes: number; readonly served: boolean }
  | { readonly name: string; readonly path: string; readonly bytes: number; readonly modified: number }

const FORMAT = 'polyad-kept-project'
const VERSION = 1
/** Ids of projects and parts: random, and nothing that means something to a file system. A part's name ends in its SHA-256. */
export const ID = /^[0-9a-f]{32}$/
export const PART = /^[0-9a-f]{32}\.[0-9a-f]{64}$/
/** The SHA-256 of a part, from its name. */
export const digestOf = (part: string): string => part.slice(33)
export const MOST_MODELS = 200
export const LONGEST_NAME = 500

export const isText = (value: unknown, most = LONGEST_NAME): value is string =>
  typeof value === 'string' && value.length <= most
export const isPart = (value: unknown): value is string => typeof value === 'string' && PART.test(value)
export const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const headText = (head: ProjectHead): string =>
  JSON.stringify({ format: FORMAT, version: VERSION, ...head }, null, 1)

/** A head from its text. Anything else on the disk is refused. */
export const headOf = (text: string): ProjectHead => {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || value.format !== FORMAT) throw new DataError('it is not a project')
  if (value.version !== VERSION) throw new DataError('it was saved by another version of Polyad')
  const { name, title, saved, fitted, bytes, writer, sequence, description, fits, models, data } = value
  const holds =
    (name === null || isText(name)) &&
    isText(title) &&
    isText(saved, 40) &&
    !Number.isNaN(Date.parse(saved)) &&
    [fitted, bytes, sequence].every(isAmount) &&
    isText(writer, 64) &&
    isPart(description) &&
    (fits === null || isPart(fits)) &&
    Array.isArray(models) &&
    models.length <= MOST_MODELS &&
    models.every(isPart) &&
    (data === null || isKeptData(data))
  if (!holds) throw new DataError('its description is damaged')
  return {
    ...{ name, title, saved, writer, description, fits, models, data },
    ...{ fitted, bytes, sequence },
  } as unknown as ProjectHead
}

const isKeptData = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.name) &&
  isAmount(value.bytes) &&
  ('part' in value
    ? isPart(value.part) && typeof value.served === 'boolean'
    : isText(value.path, 10_000) && typeof value.modified === 'number')

/** The parts that a head names. */
export const partsOf = ({ description, fits, models, data }: ProjectHead): readonly string[] => [
  description,
  ...(fits === null ? [] : [fits]),
  ...models,
  ...(data !== null && 'part' in data ? [data.part] : []),
]
