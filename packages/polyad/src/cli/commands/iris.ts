import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OptionError } from '@polyad/core'
import type { IrisExperiment, Unsupervised } from '../../examples/iris/experiment.ts'
import { checkWritable, writeBytes } from '../../output/atomic-file.ts'
import { defineCommand } from '../framework/define-command.ts'
import { fitOption } from '../options/fit-options.ts'
import { OUTPUT, STOPPED_FIELD } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { fitProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly output: string
  readonly maxPasses: number
  readonly seed: number
  readonly maxSeconds?: number
}

export const iris = defineCommand({
  name: 'iris',
  summary: SUMMARIES.iris,
  examples: [
    ['polyad iris', 'from the data to the figure, in polyad-iris/'],
    ['polyad iris --max-passes 2000', 'a shorter search: a rougher answer sooner'],
    ['polyad iris -o figures', 'the figure and the page go to figures/'],
  ],
  arguments: [],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '-o, --output <folder>',
          text: 'folder for the figure and the page',
          default: 'polyad-iris',
          formerly: '--out',
        },
        fitOption('maxPasses', 'maximum number of passes over the data', { default: 60_000 }),
        fitOption('seed', 'random seed; the same seed gives the same result', { default: 1 }),
        fitOption('maxSeconds', 'time limit for the whole command; returns the best solution so far'),
      ],
    },
    OUTPUT,
  ],
  fields: [
    ['species', 'their names, in the order of the tables', 'string[]'],
    ['supervised', 'agreement and confusion if the species are known', 'unknown'],
    ['unsupervised', 'loss, agreement, confusion and verdict of a fit without the species', 'unknown'],
    ['smoothed', 'the same with smoothing over neighbouring measurements, and the width that was chosen', 'unknown'],
    ['normal', 'the same with normal distributions of measurements to 0.1 cm', 'unknown'],
    ['lowestKnown', 'the lowest loss found in earlier experiments', 'number'],
    ['figure, page', 'the files written', 'string'],
    STOPPED_FIELD,
  ],
  run: async (call, options: Options) => {
    const { terminal, line, interrupt, ends } = call
    const limit = call.limit(options.maxSeconds)
    // Charts are heavy: only this command loads them.
    const { irisExperiment, LOWEST_KNOWN } = await import('../../examples/iris/experiment.ts')
    const { irisFigure, irisPanels } = await import('../../examples/iris/figure.ts')
    const { irisPage } = await import('../../examples/iris/page.ts')
    const { irisText } = await import('../../examples/iris/text.ts')
    const folder = options.output
    makeFolder(folder)
    const [figure, page] = [join(folder, 'iris.svg'), join(folder, 'iris.html')]
    for (const path of [figure, page]) checkWritable(path)
    call.stoppable(limit)
    const { maxPasses, seed } = options
    const experiment = await irisExperiment({
      maxPasses,
      seed,
      signal: interrupt.signal,
      onProgress: fitProgress(call, 149, limit.left),
    })
    line.clear()
    const drawing = irisFigure(experiment.species, irisPanels(experiment))
    await writeBytes(figure, drawing)
    await writeBytes(page, irisPage(experiment, drawing))
    terminal.answer(
      () => [
        ...irisText(experiment, terminal.style).split('\n'),
        `Wrote ${figure} and ${page}`,
        '',
        'Your own table, in a page:        polyad studio data.csv',
        'Your own table, in the terminal:  polyad fit data.csv -k 3',
      ],
      () => ({
        ...irisObject(experiment),
        lowestKnown: LOWEST_KNOWN,
        figure,
        page,
        ...(interrupt.signal.aborted && { stopped: true }),
      }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped', 'stopped early: this is the best solution so far')
      ends(interrupt.exitCode())
    }
  },
})

/** Makes the folder and those above it, one by one: asked for all at once, Node never returns where none can be made. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  try {
    if (dirname(folder) !== folder && !existsSync(folder)) makeFolder(dirname(folder))
    mkdirSync(folder)
  } catch (error) {
    if (error instanceof OptionError) throw error
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' || code === 'ENOTDIR' ? 'is a file, not a folder' : `cannot be made (${code})`
    throw new OptionError(`${folder} ${reason}: name another with --output`)
  }
}

const irisObject = ({ species, supervised, unsupervised, smoothed, normal }: IrisExperiment) => {
  const found = ({ result, agreement, confusion }: Unsupervised) => {
    const { loss, converged, passes, totalPasses, verdict } = result
    return { loss, agreement, confusion, converged, passes, totalPasses, verdict }
  }
  return {
    species,
    supervised: { agreement: supervised.agreement, confusion: supervised.confusion },
    unsupervised: found(unsupervised),
    smoothed: { ...found(smoothed), width: smoothed.result.smoothing?.width ?? 0 },
    normal: found(normal),
  }
}
