import { modelDrift } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { formatOfFigure, PIXELS_PER_INCH } from '../../output/charts/chart-formats.ts'
import { loadModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { className } from '../../report/text/classes-text.ts'
import { driftText } from '../../report/text/drift-text.ts'
import { defineCommand } from '../framework/define-command.ts'
import { ANY_NUMBER, CLASS, LABEL } from '../options/field-types.ts'
import { MODEL_ARGUMENT } from '../options/model-options.ts'
import { OUTPUT_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { sizeText, writeChart } from '../writing/write-chart.ts'

interface Options extends OutputOptions {
  readonly output?: string
}

/** The width of the chart: `polyad plot --kind drift` has others. */
const WIDTH = 960

/** How much a variable has changed. */
const MODE_DRIFT = `mode: string, distance: ${ANY_NUMBER}, chance: ${ANY_NUMBER}, label: ${LABEL} | null, before: ${ANY_NUMBER}, after: ${ANY_NUMBER}`

export const drift = defineCommand({
  name: 'drift',
  summary: SUMMARIES.drift,
  examples: [
    [
      'polyad drift yesterday.npz today.npz',
      'compare class sizes, and how far every variable has moved in every class',
    ],
    ['polyad drift yesterday.npz today.npz -o drift.svg', 'the same as a chart'],
    ['polyad drift yesterday.npz today.npz --json', 'for a program that monitors the model'],
  ],
  arguments: [
    { ...MODEL_ARGUMENT, name: '<before>', text: 'the earlier model, .npz or .json' },
    { name: '<after>', text: 'a later model of the same variables' },
  ],
  options: [
    {
      title: 'Options',
      options: [{ flags: '-o, --output <file>', text: 'also draw a chart: .svg, .pdf, .eps, .png or .tiff' }],
    },
    TIMED_OUTPUT,
  ],
  fields: [
    ['score', 'the factor match score: 1 for equal models, whatever their sample sizes', 'number'],
    ['shares', 'total variation distance of the class sizes, 0 to 1', 'number'],
    [
      'classes',
      'for each pair: before, after (the class in each model: its name, or its number from 1; null without a partner), shareBefore, shareAfter, similarity, modes (for each: mode, distance (total variation, 0 to 1), chance (its mean if nothing had changed), label (that changed most), before, after)',
      `{ before: ${CLASS} | null, after: ${CLASS} | null, shareBefore: ${ANY_NUMBER}, shareAfter: ${ANY_NUMBER}, similarity: ${ANY_NUMBER}, modes: { ${MODE_DRIFT} }[] }[]`,
    ],
    [
      'modes',
      'the same over all classes, with within (mean of the distances within classes), gone and added (categories that only one model has)',
      `{ ${MODE_DRIFT}, within: ${ANY_NUMBER}, gone: ${LABEL}[], added: ${LABEL}[] }[]`,
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, { output }: Options, first: string, second: string) => {
    const { terminal } = call
    if (output !== undefined) {
      formatOfFigure(output)
      checkOutput(output, { paths: [first, second] })
    }
    const [before, after] = [first, second].map(path => loadModel(path).model)
    const found = modelDrift(before, after)
    const nameOf = (model: typeof before, k: number | undefined) =>
      k === undefined ? null : model.classNames === undefined ? k + 1 : className(model, k)
    const chart = output === undefined ? undefined : await draw()
    terminal.answer(
      () => [
        ...driftText(found, [before, after], terminal),
        ...(chart === undefined ? [] : ['', `Wrote ${output}, ${sizeText(chart.size)}`]),
      ],
      () => ({
        ...found,
        classes: found.classes.map(each => ({
          ...each,
          shareBefore: each.shareBefore ?? null,
          shareAfter: each.shareAfter ?? null,
          similarity: each.similarity ?? null,
          before: nameOf(before, each.before),
          after: nameOf(after, each.after),
        })),
        ...defined({ output }),
      }),
    )

    async function draw() {
      const { plotData } = await import('../../report/page/plot-data.ts')
      const data = plotData('drift', { model: after, run: {}, before })
      return writeChart(call, 'drift', data, output as string, {
        width: WIDTH,
        resolution: PIXELS_PER_INCH,
        theme: 'light',
      })
    }
  },
})
