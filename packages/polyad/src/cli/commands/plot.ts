import { OptionError } from '@polyad/core'
import { defined, is } from '@polyad/core/options'
import { formatOfFigure, PIXELS_PER_INCH } from '../../output/charts/chart-formats.ts'
import { loadModel, type StoredModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { checkNames } from '../../report/figures/class-names.ts'
import { modelRecordOf } from '../../report/record/model-record.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { LABELS, type LabelsOptions, labelledModel } from '../options/labels-option.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { moreNames, names, parseHeight, parser, parseWidth, type Width } from '../options/option-values.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { STATISTICS, type StatisticsCommandOptions, standardErrorOptions } from '../options/statistics-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelErrors, readForModel } from '../reading/read-for-model.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { type ChartLook, sizeText, writeChart } from '../writing/write-chart.ts'

/** Dots per inch that journals ask for, of figures with lines and colours. */
const DPI = 300

/** The kinds of charts: a list of its own, so that help and completion need not load charts. A test holds it to theirs. */
export const KINDS = [
  'profiles',
  'lines',
  'shares',
  'posteriors',
  'certainty',
  'losses',
  'optima',
  'criteria',
  'residuals',
  'top',
  'time',
  'pairs',
  'anomalies',
  'curves',
  'drift',
  'flows',
  'transitions',
  'mixes',
] as const

interface Options extends ModelDataOptions, SampleOptions, StatisticsCommandOptions, LabelsOptions, OutputOptions {
  readonly kind: (typeof KINDS)[number]
  readonly output?: string
  readonly width?: Width
  readonly height?: Width
  readonly size?: (typeof SIZES)[number]
  readonly title?: string
  readonly source?: string
  readonly scale?: number
  readonly dpi?: number
  readonly dark?: boolean
  readonly names?: readonly string[]
  readonly variables?: readonly string[]
  readonly category?: string
  readonly before?: string
}

/** Usual sizes of a framed chart: a list of its own too. */
const SIZES = ['column', 'page', 'slide'] as const

/** Pixels across a chart if nothing is said. */
const WIDTH = 960

type Format = ReturnType<typeof formatOfFigure>

/** What scale and resolution ask for; refused together, and where there are no pixels. */
const resolutionOf = (format: Format, { width, size, scale, dpi }: Options): number => {
  if (scale !== undefined && dpi !== undefined)
    throw new OptionError('--scale and --dpi both set the resolution: leave one of them out')
  if (format !== 'png' && format !== 'tiff' && (scale ?? dpi) !== undefined)
    throw new OptionError(
      `--${scale === undefined ? 'dpi' : 'scale'} is for .png and .tiff only: .${format} has no pixels`,
    )
  return (
    dpi ??
    (scale === undefined
      ? width?.inUnits || size === 'column' || size === 'page' || format === 'tiff'
        ? DPI
        : PIXELS_PER_INCH
      : scale * PIXELS_PER_INCH)
  )
}

/** How large the chart is, and what stands around it: nothing, unless something is asked for. */
const frameOf = async (
  { width, height, size, title, source }: Options,
  { model, run }: Pick<StoredModel, 'model' | 'run'>,
): Promise<Pick<ChartLook, 'width' | 'frame'>> => {
  const { FRAME_SIZES, sourceLine } = await import('@polyad/charts')
  const preset: { readonly width?: number; readonly height?: number } = size === undefined ? {} : FRAME_SIZES[size]
  const across = preset.width ?? width?.pixels ?? WIDTH
  const high = preset.height ?? height?.pixels
  if (title === undefined && source === undefined && high === undefined) return { width: across }
  const record = modelRecordOf(run, model.rank)
  const [first, ...others] = record.origin.files.map(path => path.replace(/^.*[/\\]/, ''))
  const name = others.length === 0 ? (first ?? null) : `${first} and ${others.length} more`
  const line = source === 'auto' ? sourceLine(name, record.total ?? model.total) : source
  return {
    width: across,
    frame: {
      ...defined({ title, source: line, height: high }),
    },
  }
}

const SCALE = is.number('a number from 0.1 to 8', 0.1, 8, value => value >= 0.1 && value <= 8)

export const plot = defineCommand({
  name: 'plot',
  summary: SUMMARIES.plot,
  examples: [
    ['polyad plot model.npz -o profiles.svg', 'draw the profiles of the classes'],
    [
      'polyad plot model.npz --size slide --title "Three groups of voters" --source auto -o slide.png',
      'for a slide, with a title and a source line',
    ],
    ['polyad plot model.npz survey.csv --kind residuals --dark -o residuals.svg', 'draw the bivariate residuals'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--kind <name>', text: 'chart to draw', choices: KINDS, default: 'profiles' },
        { flags: '-o, --output <file>', text: 'file to write: .svg, .pdf, .eps, .png or .tiff (required)' },
        {
          flags: '--width <size>',
          text: 'width: pixels of 1/96 inch, or 90mm, 9cm, 3.5in, 255pt; at least 240 pixels (63.5 mm); narrow charts have fewer columns (default: 960)',
          parse: parseWidth,
        },
        {
          flags: '--height <size>',
          text: 'height, in the same units: the chart is scaled to fit (default: as high as needed)',
          parse: parseHeight,
        },
        {
          flags: '--size <name>',
          text: 'instead of --width and --height: a journal column (90mm), a page (180mm) or a slide (1280 × 720)',
          choices: SIZES,
        },
        { flags: '--title <text>', text: 'title above the chart' },
        {
          flags: '--source <text>',
          text: 'source line below the chart; auto: the data file and the number of observations',
        },
        {
          flags: '--dpi <n>',
          text: `for PNG and TIFF: pixels per inch (default: ${DPI} if the width is in mm, cm, in or pt, and for TIFF; else 96)`,
          parse: parser(is.whole(36, 2400)),
        },
        {
          flags: '--scale <x>',
          text: 'for PNG and TIFF, instead of --dpi: scale factor (default: 1)',
          parse: parser(SCALE),
        },
        { flags: '--dark', text: 'colours for a dark page' },
        {
          flags: '--names <names>',
          text: 'names of the classes, in descending size (comma-separated; default: their numbers)',
          parse: names,
        },
        {
          flags: '--variables <names>',
          text: 'for profiles, lines and top: variables to show (comma-separated); for time one, for pairs two',
          parse: moreNames,
          alias: '--modes',
          library: ['modes'],
        },
        LABELS,
        { flags: '--before <model>', text: 'for drift: the earlier model' },
        {
          flags: '--category <name>',
          alias: '--label',
          library: ['label'],
          text: 'for lines: category to show, for variables that have it (default: yes or the second of two categories, the mean of an ordered scale, else the most distinctive)',
        },
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    STATISTICS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, kind, output', 'the model, the chart drawn, and the file written', 'string'],
    [
      'width, height, unit',
      'of the file: in pixels (px), for PDF and EPS in points (pt)',
      "number, number, 'px' | 'pt'",
    ],
    ['dpi', 'for PNG and TIFF: pixels per inch; else null', 'number | null'],
    ['title, description', 'what a screen reader reads out for the chart', 'string'],
    ['table', 'the numbers in the chart: columns, rows', '{ columns: string[], rows: unknown[][] }'],
  ],
  run: async (call, options: Options, path: string, paths: string[]) => {
    const { terminal } = call
    const { kind, output } = options
    if (output === undefined) throw new OptionError(`no output file was given: add -o ${kind}.svg`)
    const format = formatOfFigure(output)
    const resolution = resolutionOf(format, options)
    if (options.size !== undefined && (options.width ?? options.height) !== undefined)
      throw new OptionError('--size sets both --width and --height: leave it out, or leave them out')
    checkOutput(output, { paths: [path, ...paths], sql: options.sql })
    const stored = await labelledModel(loadModel(path), options)
    const { model, run } = stored
    if (options.names !== undefined) checkNames(options.names, model.rank)
    const wanted = standardErrorOptions(options, {}, call)
    const hasData = paths.length > 0 || options.sql !== undefined
    // Charts are heavy: only those who draw load them.
    const { DATA_KINDS, plotData } = await import('../../report/page/plot-data.ts')
    if (!hasData && (wanted !== undefined || DATA_KINDS.includes(kind)))
      throw new OptionError(
        `${wanted === undefined ? `--kind ${kind}` : '--se'} needs the data: name it after the model, as in polyad plot ${path} data.csv --kind ${kind}`,
      )
    const read = hasData ? await readForModel(call, stored, paths, options) : undefined
    const errors = wanted === undefined || read === undefined ? undefined : await modelErrors(stored, read, wanted)
    if (errors?.reason) terminal.warn('statistics', `no intervals: ${errors.reason}`)
    const { variables: modes, category: label } = options
    const before = options.before === undefined ? undefined : loadModel(options.before).model
    const data = read?.placed ?? read?.tensor
    const known = plotData(kind, { model, run, data, names: options.names, errors, modes, label, before })
    const theme = options.dark === true ? 'dark' : 'light'
    const { title, description, table, size } = await writeChart(call, kind, known, output, {
      ...(await frameOf(options, stored)),
      resolution,
      theme,
    })
    terminal.answer(
      () => ['', title, `Wrote ${output}, ${sizeText(size)}`],
      () => ({
        model: path,
        kind,
        output,
        ...size,
        title,
        description,
        table,
      }),
    )
  },
})
