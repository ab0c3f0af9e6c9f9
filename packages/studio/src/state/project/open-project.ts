import { DataError, type Item } from '@polyad/core'
import { modelFileFromJson, modelFromNpz, modelToNpz, readZip } from '@polyad/core/file'
import { FIT_OPTIONS, is, omit, type Read, reader } from '@polyad/core/options'
import type { NamedItem } from 'polyad/analysis'
import { type FitFigures, modelRecordOf, recordedFigures } from 'polyad/report'
import { DESIGN_OPTION, type Note, READING_OPTIONS, type Recode } from 'polyad/table'
import {
  type DataFile,
  type DataSummary,
  type FitRecord,
  type FitRequest,
  GRAPHICS_USES,
  type Links,
  type OpenOptions,
  type ReadOptions,
} from '../../worker/protocol.ts'
import { stemOf } from '../store/files.ts'
import { type ClassStyle, type ColumnChoice, DEFAULTS, ROLES, type Settings, VARIANCES } from '../store/settings.ts'
import { type BegunFit, type Fits, SCREENS, type Screen } from '../store/store.ts'
import { DATA, DESCRIPTION, FORMAT, modelMember, type Project, type ProjectParts, VERSION } from './project-file.ts'

const { amount, by, fields, flag, kinds, label, list, oneOf, optional, orNull, record, text, usable } = reader

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
export const openProjectFile = (bytes: Uint8Array): Project =>
  usable('this is not a usable project file:', () => {
    if (bytes.length > MOST_BYTES) throw new DataError(`it has more than ${MOST_BYTES / 2 ** 30} GB`)
    const members = readZip(bytes)
    const description = descriptionOf(members.get(DESCRIPTION))
    const data = [...members].find(([name]) => name.startsWith(DATA))?.[1] ?? null
    checkVersion(description)
    const { fits = null } = reader.fieldsOf(description)
    const ranks = described(fits, 'fits')?.fits ?? []
    const models = ranks.map(rank => members.get(modelMember(rank)) ?? lacking(rank))
    return projectFromParts({ description, fits, data, models })
  })

const descriptionOf = (written: Uint8Array | undefined): unknown => {
  if (written === undefined) throw new DataError(`it has no ${DESCRIPTION}`)
  if (written.length > MOST_DESCRIPTION)
    throw new DataError(`its ${DESCRIPTION} has more than ${MOST_DESCRIPTION / 2 ** 20} MB`)
  return reader.json(written, `its ${DESCRIPTION}`)
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

const lacking = (rank: number): never => {
  throw new DataError(`it lacks the model of ${rank} classes`)
}

const checkVersion = (description: unknown): void => {
  const { format, version } = reader.fieldsOf(description)
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
/** A colour as the page writes them: it gets into style sheets, where nothing else may. */
const COLOUR = /^(#[0-9a-f]{3,8}|var\(--class-\d{1,3}(, ?(#[0-9a-f]{3,8}|currentColor))?\))$/i
const colour: Read<string> = by({
  rule: 'a colour (#1150b7)',
  allows: value => typeof value === 'string' && COLOUR.test(value),
})
const classes: Read<number> = by(is.whole(1, MOST_CLASSES))

/** What the steps were called in projects of earlier versions. */
const FORMER_SCREENS: Readonly<Record<string, Screen>> = { look: 'results', use: 'classify', take: 'export' }
const screenName: Read<Screen> = (value, where) =>
  typeof value === 'string' && Object.hasOwn(FORMER_SCREENS, value)
    ? FORMER_SCREENS[value]
    : oneOf(SCREENS)(value, where)

/** What a variable is taken for. */
const item = kinds<Item>('kind', {
  categorical: fields<ItemOf<'categorical'>>({ kind: oneOf(['categorical']) }),
  ordinal: fields<ItemOf<'ordinal'>>({ kind: oneOf(['ordinal']), scores: optional(list(by<number>(is.finite), MANY)) }),
  normal: fields<ItemOf<'normal'>>({
    kind: oneOf(['normal']),
    step: optional(by<number>(is.positive)),
    variances: optional(oneOf(VARIANCES)),
    prior: optional(by<number>(is.nonNegative)),
  }),
  count: fields<ItemOf<'count'>>({
    kind: oneOf(['count']),
    distribution: optional(oneOf(['poisson', 'negative-binomial'])),
  }),
})
type ItemOf<K extends Item['kind']> = Extract<Item, { readonly kind: K }>

const columnChoice = fields<ColumnChoice>({
  role: optional(oneOf(ROLES)),
  item: optional(item),
  bin: optional(text(100)),
  missing: optional(list(name, MANY)),
  recode: optional(list(fields<Recode>({ from: list(name, MANY), to: name }), MANY)),
  order: optional(list(name, MANY)),
  title: optional(text(LONGEST)),
  texts: optional(record(text(LONGEST), MANY)),
})

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
  /** Older projects lack it. */
  graphics: optional(flag),
}

/** How an option of reading is read. */
const readOption = <K extends keyof typeof READING_OPTIONS & keyof (ReadOptions & OpenOptions)>(name: K) =>
  by<Required<ReadOptions & OpenOptions>[K]>(READING_OPTIONS[name].check)

const settings = fields<Settings>({
  missing: readOption('missing'),
  trim: readOption('trim'),
  ignoreCase: readOption('ignoreCase'),
  columns: record(columnChoice, MANY),
  timeZone: optional(orNull(readOption('timeZone'))),
  where: optional(orNull(text(LONGEST))),
  top: orNull(readOption('top')),
  fit: fields<Settings['fit']>({
    ...asked,
    variances: optional(oneOf(VARIANCES)),
    sameTransitions: optional(flag),
    movingCovariates: optional(flag),
    stayers: optional(flag),
    groupClasses: optional(classes),
  }),
  classes: record(classStyle, 1000),
})

const request = fields<FitRequest>({
  ...asked,
  covariates: list(name, MANY),
  items: optional(list(fields<NamedItem>({ column: name, item }), MANY)),
  links: optional(
    fields<Links>({
      person: optional(name),
      time: optional(name),
      transitions: optional(oneOf(['free', 'same'])),
      transitionCovariates: optional(list(name, MANY)),
      stayers: optional(flag),
      within: optional(name),
      groupClasses: optional(classes),
    }),
  ),
  line: text(LONGEST),
})

/** A page says how its file is written beside the file. */
const NOT_OF_PAGE = ['exclude', 'missingOnly', 'delimiter', 'header', 'skipRows', 'encoding', 'sheet'] as const
const readOptions = reader.options<ReadOptions>({ ...omit(READING_OPTIONS, ...NOT_OF_PAGE), design: DESIGN_OPTION })

const figuresOfOneClass: Read<FitFigures> = (value, where) => {
  const found = recordedFigures(value, 1)
  if (found === null) throw new DataError(`${where} must be figures of a fit of one class`)
  return found
}

const dataSummary = fields<DataSummary>({
  modes: list(fields<DataSummary['modes'][number]>({ name, labels: list(label, MANY), ordered: flag }), MANY),
  cells: amount,
  total: amount,
  rows: amount,
  dropped: amount,
  missing: list(flag, MANY),
  notes: list(fields<Omit<Note, 'wording' | 'code'>>({ kind: oneOf(['choice', 'warning']), text: name }), MANY),
  digest: orNull(text(64)),
  independence: optional(figuresOfOneClass),
})

/** How a file is written. */
const OPENED = {
  delimiter: optional(text(10)),
  encoding: optional(readOption('encoding')),
  sheet: optional(text(1000)),
  header: optional(flag),
  skipRows: optional(readOption('skipRows')),
  decimal: optional(readOption('decimal')),
  thousands: optional(readOption('thousands')),
}

type ServerFile = Extract<DataFile, { readonly from: 'server' }>
type BytesFile = Omit<Extract<DataFile, { readonly from: 'bytes' }>, 'bytes'>

interface Described extends Omit<Project, 'file' | 'fits' | 'fitting'> {
  readonly file: BytesFile | ServerFile | null
  readonly fitting: boolean
  readonly begun?: BegunFit
}

const begunFit = fields<BegunFit>({ request, read: readOptions, adds: flag, resumed: amount })

const project = fields<Described>({
  name: orNull(name),
  file: orNull(
    kinds<NonNullable<Described['file']>>('from', {
      server: fields<ServerFile>({ from: oneOf(['server']), name, id: text(200), ...OPENED }),
      bytes: fields<BytesFile>({ from: oneOf(['bytes']), name, ...OPENED }),
    }),
  ),
  settings,
  rank: orNull(classes),
  screen: screenName,
  fitting: flag,
  begun: optional(begunFit),
})

const described = orNull(
  fields<Omit<Fits, 'fits'> & { readonly fits: readonly number[] }>({
    request,
    read: orNull(readOptions),
    digest: orNull(text(64)),
    data: dataSummary,
    fits: list(classes, MOST_FITS),
    recommended: orNull(classes),
    reason: text(LONGEST),
    stopped: flag,
    warnings: optional(list(text(LONGEST), MANY)),
    graphics: optional(oneOf(GRAPHICS_USES)),
  }),
)
