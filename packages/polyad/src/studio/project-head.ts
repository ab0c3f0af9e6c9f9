import { DataError } from '@polyad/core'
import { is, reader } from '@polyad/core/options'

const { fields, orNull } = reader

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

/** What every reading of a project takes. */
export const name = reader.text(LONGEST_NAME)
export const isPart = (value: unknown): value is string => typeof value === 'string' && PART.test(value)
export const part = reader.by<string>({ rule: 'the id of a part', allows: isPart })
export const parts = reader.list(part, MOST_MODELS)
export const whole = reader.by<number>(is.whole(0))

export const headText = (head: ProjectHead): string =>
  JSON.stringify({ format: FORMAT, version: VERSION, ...head }, null, 1)

const keptPart = fields<Extract<KeptData, { part: string }>>({ name, part, bytes: whole, served: reader.flag })
const keptPath = fields<Extract<KeptData, { path: string }>>({
  name,
  path: reader.text(10_000),
  bytes: whole,
  modified: reader.number,
})

const date = reader.by<string>({
  rule: 'a date',
  allows: value => typeof value === 'string' && value.length <= 40 && !Number.isNaN(Date.parse(value)),
})

const head = fields<ProjectHead>({
  name: orNull(name),
  title: name,
  saved: date,
  fitted: whole,
  bytes: whole,
  writer: reader.text(64),
  sequence: whole,
  description: part,
  fits: orNull(part),
  models: parts,
  data: orNull((value, where) => ('part' in reader.object(value, where) ? keptPart : keptPath)(value, where)),
})

/** A head from its text. Anything else on the disk is refused. */
export const headOf = (text: string): ProjectHead => {
  const damaged = 'its description is damaged'
  const value = reader.tried(() => reader.json(text), text)
  if (value === null) throw new DataError(damaged)
  const { format, version } = reader.fieldsOf(value)
  if (format !== FORMAT) throw new DataError('it is not a project')
  if (version !== VERSION) throw new DataError('it was saved by another version of Polyad')
  // The values of a damaged description are not shown: they may be anything.
  const known = reader.tried(head, value)
  if (known === null) throw new DataError(damaged)
  return known
}

/** The parts that a head names. */
export const partsOf = ({ description, fits, models, data }: ProjectHead): readonly string[] => [
  description,
  ...(fits === null ? [] : [fits]),
  ...models,
  ...(data !== null && 'part' in data ? [data.part] : []),
]
