import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { IrisExperiment, Unsupervised } from '../../examples/iris/experiment.ts'
import { writeBytes } from '../../output/atomic-file.ts'
import { describe, withOutput } from '../options/describe.ts'
import { withFields } from '../options/json-fields.ts'
import { wholeNumber } from '../options/option-values.ts'
import { catchInterrupt, INTERRUPTED } from '../terminal/interrupt.ts'
import { fitProgress, progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly out: string
  readonly maxPasses: number
  readonly seed: number
}

export const irisCommand = (): Command =>
  withFields(
    withOutput(
      describe('iris', "the paper's example: three species of iris, with their names and without", [
        ['polyad iris', 'from the data to the figure, in polyad-iris/'],
        ['polyad iris --max-passes 2000', 'a shorter search: a rougher answer, sooner'],
        ['polyad iris -o figures', 'the figure and the page go to figures/'],
      ])
        .option('-o, --out <folder>', 'where the figure and the page go', 'polyad-iris')
        .option('--max-passes <n>', 'the most passes over the data that the search may take', wholeNumber(2), 60_000)
        .option('--seed <n>', 'the same seed gives the same bits', wholeNumber(0), 1),
    ),
    [
      ['species', 'their names, in the order of the tables'],
      ['supervised', 'agreement and confusion of the closed form per species'],
      ['unsupervised', 'loss, agreement, confusion and verdict of maximum likelihood without the species'],
      ['smoothed', 'the same with neighbouring measurements alike, and the width that was chosen'],
      ['lowestKnown', 'the lowest loss that was known before'],
      ['figure, page', 'the files written'],
    ],
  ).action(runIris)

/** `polyad iris`: the paper's §6 from the data to the figure. */
const runIris = async (options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const line = progressLine(terminal)
  const interrupt = catchInterrupt()
  try {
    // Charts are heavy: only this command loads them.
    const { irisExperiment, LOWEST_KNOWN } = await import('../../examples/iris/experiment.ts')
    const { irisFigure, irisPanels } = await import('../../examples/iris/figure.ts')
    const { irisPage } = await import('../../examples/iris/page.ts')
    const { irisText } = await import('../../examples/iris/text.ts')
    mkdirSync(options.out, { recursive: true })
    interrupt.graceful(() => terminal.note('stopping at the next pass; Ctrl-C again ends at once'))
    const { maxPasses, seed } = options
    const experiment = await irisExperiment({
      maxPasses,
      seed,
      signal: interrupt.signal,
      onProgress: fitProgress(line, 149),
    })
    line.clear()
    const drawing = irisFigure(experiment.species, irisPanels(experiment))
    const [figure, page] = [join(options.out, 'iris.svg'), join(options.out, 'iris.html')]
    await writeBytes(figure, drawing)
    await writeBytes(page, irisPage(experiment, drawing))
    terminal.answer(
      () => [irisText(experiment, terminal.style), `The figure is in ${figure}, the page in ${page}`],
      () => ({ ...irisObject(experiment), lowestKnown: LOWEST_KNOWN, figure, page }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best so far')
      process.exitCode = INTERRUPTED
    }
  } finally {
    line.clear()
    interrupt.release()
  }
}

const irisObject = ({ species, supervised, unsupervised, smoothed }: IrisExperiment) => {
  const found = ({ result, agreement, confusion }: Unsupervised) => {
    const { loss, converged, passes, totalPasses, verdict } = result
    return { loss, agreement, confusion, converged, passes, totalPasses, verdict }
  }
  return {
    species,
    supervised: { agreement: supervised.agreement, confusion: supervised.confusion },
    unsupervised: found(unsupervised),
    smoothed: { ...found(smoothed), width: smoothed.result.smoothing?.width ?? 0 },
  }
}
