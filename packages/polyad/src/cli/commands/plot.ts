import { OptionError } from '@polyad/core'
import { is } from '@polyad/core/options'
import { writeBytes } from '../../output/atomic-file.ts'
import { loadModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { checkNames } from '../../report/class-names.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { moreNames, names, parser } from '../options/option-values.ts'
import { OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { STATISTICS, type StatisticsCommandOptions, standardErrorOptions } from '../options/statistics-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { modelErrors, readForModel } from '../running/read-for-model.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

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
] as const

interface Options extends ModelDataOptions, SampleOptions, StatisticsCommandOptions, OutputOptions {
  readonly kind: (typeof KINDS)[number]
  readonly output?: string
  readonly width: number
  readonly scale: number
  readonly dark?: boolean
  readonly names?: readonly string[]
  readonly modes?: readonly string[]
  readonly label?: string
}

const SCALE = is.number('a number from 0.1 to 8', 0.1, 8, value => value >= 0.1 && value <= 8)

export const plot = defineCommand({
  name: 'plot',
  summary: 'a chart of a model, as SVG or PNG',
  examples: [
    ['polyad plot model.npz -o profiles.svg', 'the profiles of the classes'],
    ['polyad plot model.npz --kind lines --names engaged,distant -o lines.png', 'the classic line plot, with names'],
    ['polyad plot model.npz survey.csv --kind residuals --dark -o residuals.svg', 'what is left between two modes'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--kind <name>', text: 'what to draw', choices: KINDS, default: 'profiles' },
        { flags: '-o, --output <file>', text: 'where the chart goes: .svg or .png (needed)' },
        {
          flags: '--width <n>',
          text: 'how wide it is, in pixels: with less room there are fewer columns',
          parse: parser(is.whole(240)),
          default: 960,
        },
        { flags: '--scale <x>', text: 'of a PNG: how many of its pixels are one', parse: parser(SCALE), default: 1 },
        { flags: '--dark', text: 'for a dark page' },
        {
          flags: '--names <names>',
          text: 'what the classes are called, in descending size, with commas (default: their numbers)',
          parse: names,
        },
        {
          flags: '--modes <names>',
          text: 'of profiles, lines and top: the modes to show; of time one, of pairs two',
          parse: moreNames,
        },
        {
          flags: '--label <name>',
          text: 'of lines: the label to count wherever a mode has it (default: yes, the second)',
        },
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    STATISTICS,
    OUTPUT,
  ],
  fields: [
    ['model, kind, output', 'the model, what was drawn, and where it is'],
    ['width, height', 'of the file, in pixels'],
    ['title, description', 'what the chart says to those who cannot see it'],
    ['table', 'what is behind it: columns, rows'],
  ],
  run: async (call, options: Options, path: string, paths: string[]) => {
    const { terminal } = call
    const { kind, output, width, scale } = options
    if (output === undefined) throw new OptionError(`say where the chart goes, as in -o ${kind}.svg`)
    const format = /\.(svg|png)$/i.exec(output)?.[1].toLowerCase()
    if (format === undefined)
      throw new OptionError(`a chart's file must end in .svg or .png (got ${JSON.stringify(output)})`)
    checkOutput(output, { paths: [path, ...paths], sql: options.sql })
    const stored = loadModel(path)
    const { model, run } = stored
    if (options.names !== undefined) checkNames(options.names, model.rank)
    const wanted = standardErrorOptions(options, {}, call)
    const hasData = paths.length > 0 || options.sql !== undefined
    // Charts are heavy: only those who draw load them.
    const { DATA_KINDS, plotData } = await import('../../report/plot-data.ts')
    if (!hasData && (wanted !== undefined || DATA_KINDS.includes(kind)))
      throw new OptionError(
        `${wanted === undefined ? `--kind ${kind}` : '--se'} needs the data: name it after the model, as in polyad plot ${path} data.csv --kind ${kind}`,
      )
    const read = hasData ? await readForModel(call, stored, paths, options) : undefined
    const errors = wanted === undefined || read === undefined ? undefined : await modelErrors(stored, read, wanted)
    if (errors?.reason) terminal.warn(`no intervals: ${errors.reason}`)
    const { modes, label } = options
    const known = plotData(kind, { model, run, data: read?.tensor, names: options.names, errors, modes, label })
    const { CHARTS, DARK, LIGHT, svgFile } = await import('@polyad/charts')
    const { serverDocument } = await import('../../report/server-document.ts')
    const { draw, table } = CHARTS[kind] as (typeof CHARTS)['profiles']
    const chart = draw(known as Parameters<typeof draw>[0], { document: serverDocument(), width })
    const svg = svgFile(chart, options.dark === true ? DARK : LIGHT)
    let size = { width, height: Number(chart.getAttribute('height')) }
    if (format === 'svg') await writeBytes(output, svg)
    else {
      const { pngOf } = await import('../../output/png.ts')
      const { bytes, hasText, ...drawn } = pngOf(svg, scale)
      size = drawn
      await writeBytes(output, bytes)
      if (!hasText) terminal.warn('this system has no fonts: the chart has no text. Install one, or write .svg')
    }
    const [title, description] = ['title', 'desc'].map(name => chart.querySelector(name)?.textContent ?? '')
    terminal.answer(
      () => ['', title, `The chart is in ${output}, ${size.width} × ${size.height} pixels`],
      () => ({
        model: path,
        kind,
        output,
        ...size,
        title,
        description,
        table: table(known as Parameters<typeof table>[0]),
      }),
    )
  },
})
