import { DataError, type Label } from '@polyad/core'
import { modelFileFromJson, modelFromNpz, modelToNpz, readZip } from '@polyad/core/file'
import { FIT_OPTIONS, is } from '@polyad/core/options'
import { modelRecordOf, recordedFigures } from 'polyad/report'
import { type Note, READING_OPTIONS, type Recode } from 'polyad/table'
import {
  type DataFile,
  type DataSummary,
  type FitRecord,
  type FitRequest,
  GRAPHICS_USES,
  type OpenOptions,
  type ReadOptions,
} from '../../worker/protocol.ts'
import { stemOf } from '../files.ts'
import { type ClassStyle, type ColumnChoice, DEFAULTS, ROLES, type Settings } from '../settings.ts'
import { type BegunFit, type Fits, SCREENS, type Screen } from '../store.ts'
import { by, fields, flag, kinds, list, oneOf, orNull, type Read, record, text } from './check.ts'
import { DATA, DESCRIPTION, FORMAT, modelMember, type Project, type ProjectParts, VERSION } from './project-file.ts'

/** What is taken at all, in bytes: more than a page can work with is not unpacked. */
const MOST_BYTES = 2 ** 30
const MOST_DESCRIPTION = 2 ** 29 - 2 ** 20
const MOST_FITS = 200

/** A project from its parts; refused, with the reason, where they are not one. */
export const projectFromParts = ({ description, fits, data, models }: ProjectParts): Project => {
  checkVersion(description)
  const { file, fitting, begun, ...rest } = project(description, '')
  const found = described(fits, 'fits')
  return {
    ...rest,
    file: dataFile(file, data),
    fitting: fitting ? (begun ?? 'unknown') : null,
    fits: found === null ? null : { ...found, fits: found.fits.map((rank, i) => fitRecord(rank, models[i])) },
  }
}

/** Opens what `projectFile` made, from untrusted hands: anything else is refused with the reason, and nothing of it is run. */
export const openProjectFile = (bytes: Uint8Array): Project => {
  if (bytes.length > MOST_BYTES) refuse(`it has more than ${MOST_BYTES / 2 ** 30} GB`)
  const members = guarded(() => readZip(bytes))
  const written = members.get(DESCRIPTION)
  if (written === undefined) return refuse(`it has no ${DESCRIPTION}`)
  if (written.length > MOST_DESCRIPTION) refuse(`its ${DESCRIPTION} has more than ${MOST_DESCRIPTION / 2 ** 20} MB`)
  const description = parsed(written)
  const data = [...members].find(([name]) => name.startsWith(DATA))?.[1] ?? null
  return guarded(() => {
    const { fits = null } = (description ?? {}) as { readonly fits?: unknown }
    checkVersion(description)
    const ranks = described(fits, 'fits')?.fits ?? []
    const models = ranks.map(rank => members.get(modelMember(rank)) ?? lacking(rank))
    return projectFromParts({ description, fits, data, models })
  })
}

/** A model's file, as the command line writes it, as a project without data. */
export const openModelFile = (name: string, bytes: Uint8Array): Project => {
  if (bytes.length > MOST_BYTES) throw new DataError(`${name} has more than ${MOST_BYTES / 2 ** 30} GB`)
  const zipped = bytes[0] === 0x50
  const opened = zipped ? modelFromNpz(bytes) : modelFileFromJson(new TextDecoder().decode(bytes))
  const { model, run } = opened
  const file = zipped ? bytes : modelToNpz(model, run)
  const { origin, missing } = modelRecordOf(run, model.rank)
  const fit = fitRecord(model.rank, file)
  const [{ cells, total }, { rank }] = [fit.figures, model]
  return {
    name: stemOf(name),
    file: null,
    settings: DEFAULTS,
    fits: {
      fits: [fit],
      recommended: rank,
      reason: '',
      stopped: false,
      request: {
        ...DEFAULTS.fit,
        from: rank,
        to: rank,
        seed: origin.seed ?? 1,
        covariates: [],
        line: origin.line ?? '',
      },
      read: null,
      digest: origin.digest,
      data: {
        modes: model.modes.map(mode => ({
          name: mode.name,
          labels: Array.from({ length: mode.size }, (_, j) => mode.label(j)),
          ordered: mode.ordered,
        })),
        cells,
        total,
        rows: total,
        dropped: 0,
        missing: model.modes.map(mode => missing?.includes(mode.name) ?? false),
        notes: [],
        digest: origin.digest,
      },
    },
    rank,
    screen: 'results',
    fitting: null,
  }
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return refuse(`its ${DESCRIPTION} is not JSON (${(error as Error).message})`)
  }
}

function refuse(reason: string): never {
  throw new DataError(`this is not a usable project file: ${reason}`)
}

const guarded = <T>(make: () => T): T => {
  try {
    return make()
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const lacking = (rank: number): never => {
  throw new DataError(`it lacks the model of ${rank} classes`)
}

const checkVersion = (description: unknown): void => {
  const { format, version } = (description ?? {}) as { readonly format?: unknown; readonly version?: unknown }
  if (format !== FORMAT) throw new DataError(`its format must be ${FORMAT}`)
  if (version === VERSION) return
  const newer = typeof version === 'number' && version > VERSION
  throw new DataError(`its version must be ${VERSION}${newer ? `: it needs a newer Polyad (got ${version})` : ''}`)
}

const dataFile = (file: Described['file'], data: Uint8Array | null): DataFile | null => {
  if (file === null || file.from === 'server') return file
  if (data === null) throw new DataError(`the data of ${file.name} is not in it`)
  return { ...file, bytes: data }
}

/** A fit as its model's file tells it. */
const fitRecord = (rank: number, file: Uint8Array | undefined): FitRecord => {
  const { model, run } = modelFromNpz(file ?? lacking(rank))
  const figures = recordedFigures(run.result, rank)
  if (model.rank !== rank || figures === null)
    throw new DataError(
      `the model of ${rank} classes does not record how it was fitted: open one that polyad fit or polyad rank saved`,
    )
  const { trace, attempts } = modelRecordOf(run, rank)
  return { rank, figures, file: file as Uint8Array, trace, attempts }
}

/** A table may have a label as long as itself, and all that is said here may name it: only the whole has a limit. */
const LONGEST = MOST_DESCRIPTION
/** More columns, labels or settings than this nobody has. */
const MANY = 10_000_000
const MOST_CLASSES = 10_000

const name = text(LONGEST)
const label: Read<Label> = by({
  rule: 'text, or a number',
  allows: value => typeof value === 'string' || Number.isFinite(value),
})
/** A colour as the page writes them: it gets into style sheets, where nothing else may. */
const COLOUR = /^(#[0-9a-f]{3,8}|var\(--class-\d{1,3}(, ?(#[0-9a-f]{3,8}|currentColor))?\))$/i
const colour: Read<string> = by({
  rule: 'a colour (#1150b7)',
  allows: value => typeof value === 'string' && COLOUR.test(value),
})
const classes: Read<number> = by(is.whole(1, MOST_CLASSES))
const amount: Read<number> = by(is.nonNegative)

/** What the steps were called in projects of earlier versions. */
const FORMER_SCREENS: Readonly<Record<string, Screen>> = { look: 'results', use: 'classify', take: 'export' }
const screenName: Read<Screen> = (value, where) =>
  typeof value === 'string' && Object.hasOwn(FORMER_SCREENS, value)
    ? FORMER_SCREENS[value]
    : oneOf(SCREENS)(value, where)

const columnChoice = fields<Record<never, never>, Required<ColumnChoice>>(
  {},
  {
    role: oneOf(ROLES),
    bin: text(100),
    missing: list(name, MANY),
    recode: list(fields<Recode>({ from: list(name, MANY), to: name }), MANY),
    order: list(name, MANY),
  },
)

const classStyle = fields<ClassStyle>({
  names: list(orNull(text(200)), MOST_CLASSES),
  colours: list(orNull(colour), MOST_CLASSES),
})

const asked = {
  from: classes,
  to: classes,
  seed: by<number>(FIT_OPTIONS.seed.check),
  prior: by<number>(FIT_OPTIONS.pseudoCounts.check),
  smoothing: orNull(by<number | 'auto'>(FIT_OPTIONS.smoothing.check)),
  maxSeconds: orNull(by<number>(FIT_OPTIONS.maxSeconds.check)),
}
/** What older projects lack. */
const askedSince = { graphics: flag }
type AskedSince = Required<Pick<FitRequest, keyof typeof askedSince>>

/** How options of reading are read, by their names. */
const read = <K extends keyof typeof READING_OPTIONS & keyof ReadOptions>(...names: readonly K[]) =>
  Object.fromEntries(names.map(each => [each, by(READING_OPTIONS[each].check)])) as unknown as {
    readonly [N in K]: Read<Required<ReadOptions>[N]>
  }

const settings = fields<Omit<Settings, 'timeZone' | 'where'>, Required<Pick<Settings, 'timeZone' | 'where'>>>(
  {
    ...read('missing', 'trim', 'ignoreCase'),
    columns: record(columnChoice, MANY),
    top: orNull(read('top').top),
    fit: fields<Omit<Settings['fit'], keyof AskedSince>, AskedSince>(asked, askedSince),
    classes: record(classStyle, 1000),
  },
  { timeZone: orNull(read('timeZone').timeZone), where: orNull(text(LONGEST)) },
)

const request = fields<Omit<FitRequest, keyof AskedSince>, AskedSince>(
  { ...asked, covariates: list(name, MANY), line: text(LONGEST) },
  askedSince,
)

const {
  exclude: _,
  missingOnly: __,
  delimiter: ___,
  header: ____,
  skipRows: _______,
  encoding: _____,
  sheet: ______,
  ...OF_PAGE
} = READING_OPTIONS
const readOptions = fields<Record<never, never>, Required<ReadOptions>>(
  {},
  read(...(Object.keys(OF_PAGE) as (keyof typeof OF_PAGE)[])),
)

const dataSummary = fields<Omit<DataSummary, 'independence'>, Required<Pick<DataSummary, 'independence'>>>(
  {
    modes: list(fields<DataSummary['modes'][number]>({ name, labels: list(label, MANY), ordered: flag }), MANY),
    ...{ cells: amount, total: amount, rows: amount, dropped: amount },
    missing: list(flag, MANY),
    notes: list(fields<Omit<Note, 'wording'>>({ kind: oneOf(['choice', 'warning']), text: name }), MANY),
    digest: orNull(text(64)),
  },
  {
    independence: (value, where) => {
      const found = recordedFigures(value, 1)
      if (found === null) throw new DataError(`${where} must be figures of a fit of one class`)
      return found
    },
  },
)

/** How a file is written. */
const OPENED: { readonly [O in keyof OpenOptions]-?: Read<Required<OpenOptions>[O]> } = {
  delimiter: text(10),
  encoding: by(READING_OPTIONS.encoding.check),
  sheet: text(1000),
  header: flag,
  skipRows: by(READING_OPTIONS.skipRows.check),
  decimal: by(READING_OPTIONS.decimal.check),
  thousands: by(READING_OPTIONS.thousands.check),
}

type ServerFile = Extract<DataFile, { readonly from: 'server' }>
type BytesFile = Omit<Extract<DataFile, { readonly from: 'bytes' }>, 'bytes'>

interface Described extends Omit<Project, 'file' | 'fits' | 'fitting'> {
  readonly file: BytesFile | ServerFile | null
  readonly fitting: boolean
}

const begunFit = fields<BegunFit>({ request, read: readOptions, adds: flag, resumed: amount })

const project = fields<Described, { readonly begun: BegunFit }>(
  {
    name: orNull(name),
    file: orNull(
      kinds<NonNullable<Described['file']>>('from', {
        server: fields<Pick<ServerFile, 'from' | 'name' | 'id'>, Required<OpenOptions>>(
          { from: oneOf(['server']), name, id: text(200) },
          OPENED,
        ),
        bytes: fields<Pick<BytesFile, 'from' | 'name'>, Required<Omit<BytesFile, 'from' | 'name'>>>(
          { from: oneOf(['bytes']), name },
          OPENED,
        ),
      }),
    ),
    settings,
    rank: orNull(classes),
    screen: screenName,
    fitting: flag,
  },
  { begun: begunFit },
)

const described = orNull(
  fields<
    Omit<Fits, 'fits' | 'warnings' | 'graphics'> & { readonly fits: readonly number[] },
    Required<Pick<Fits, 'warnings' | 'graphics'>>
  >(
    {
      request,
      read: orNull(readOptions),
      digest: orNull(text(64)),
      data: dataSummary,
      fits: list(classes, MOST_FITS),
      recommended: orNull(classes),
      reason: text(LONGEST),
      stopped: flag,
    },
    { warnings: list(text(LONGEST), MANY), graphics: oneOf(GRAPHICS_USES) },
  ),
)
