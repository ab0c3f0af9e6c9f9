import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { OptionError } from '@polyad/core'
import { irisExperiment } from '../report/iris-experiment.ts'
import { irisFigure, irisPanels } from '../report/iris-figure.ts'
import { irisPage } from '../report/iris-page.ts'
import { irisText, type Style } from '../report/iris-text.ts'

export interface IrisCommandOptions {
  readonly out: string
  readonly maxPasses: string
  readonly seed: string
}

const wholeNumber = (name: string, text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  throw new OptionError(`--${name} must be a whole number (got ${JSON.stringify(text)})`)
}

/** `polyad iris`: the paper's §6 from the data to the figure. */
export const iris = async (options: IrisCommandOptions): Promise<void> => {
  const maxPasses = wholeNumber('max-passes', options.maxPasses)
  const seed = wholeNumber('seed', options.seed)
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  const live = process.stderr.isTTY === true
  let shown = 0
  const experiment = await irisExperiment({
    maxPasses,
    seed,
    signal: controller.signal,
    onProgress: ({ passes, best }) => {
      if (!live || performance.now() - shown < 80) return
      shown = performance.now()
      const lowest = Number.isFinite(best) ? best.toFixed(4) : '…'
      process.stderr.write(`\r\x1b[Kiris: ${passes} passes, lowest loss ${lowest}`)
    },
  }).finally(() => {
    process.off('SIGINT', interrupt)
    if (live) process.stderr.write('\r\x1b[K')
  })
  const figure = irisFigure(experiment.species, irisPanels(experiment))
  mkdirSync(options.out, { recursive: true })
  const [svg, page] = [join(options.out, 'iris.svg'), join(options.out, 'iris.html')]
  writeFileSync(svg, figure)
  writeFileSync(page, irisPage(experiment, figure))
  const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined
  const style: Style = (kind, text) => (colour ? styleText(kind, text) : text)
  process.stdout.write(`${irisText(experiment, style)}\n`)
  process.stdout.write(`The figure is in ${svg}, the page in ${page}\n`)
  if (controller.signal.aborted) {
    process.stderr.write('polyad: stopped early; this is the best so far\n')
    process.exitCode = 130
  }
}
