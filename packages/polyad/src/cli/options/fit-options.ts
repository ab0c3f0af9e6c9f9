import { type FitOptions, OptionError } from '@polyad/core'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { moreNames, number, wholeNumber } from './option-values.ts'

/** Options of the commands that fit, as the command line gives them. */
export interface FitCommandOptions {
  readonly starts?: 'auto' | number
  readonly seed?: number
  readonly algorithm?: 'accelerated' | 'em'
  readonly maxPasses?: number
  readonly maxSeconds?: number
  readonly tolerance?: number
  readonly threads?: number
  readonly pseudoCounts?: string[]
  readonly smoothing?: string[]
}

const starts = (text: string): 'auto' | number => {
  if (text === 'auto') return text
  try {
    return wholeNumber(1)(text)
  } catch {
    throw new InvalidArgumentError('It must be auto or a whole number ≥ 1.')
  }
}

export const withFit = (command: Command): Command =>
  command
    .optionsGroup('Fit:')
    .option(
      '--starts <n>',
      'auto: search until the best is found again and again; n: so many random starts (default: auto)',
      starts,
    )
    .option('--seed <n>', 'the same seed gives the same bits (default: 1)', wholeNumber(0))
    .addOption(
      new Option('--algorithm <name>', "how to come down; em: the paper's own steps").choices(['accelerated', 'em']),
    )
    .option('--max-passes <n>', 'the most passes over the data in all', wholeNumber(1))
    .option('--max-seconds <x>', 'the most seconds; the best so far is the answer', number(0))
    .option('--tolerance <x>', 'the relative change of the loss that counts as none', number(0))
    .option('--threads <n>', 'how many threads (default: all cores)', wholeNumber(1))
    .option('--pseudo-counts <x>', 'a Dirichlet prior: counts added to every label; or mode:x for one mode', moreNames)
    .option(
      '--smoothing <width>',
      'smooth ordered modes over neighbouring labels; or mode:width for one mode; auto: by data left out',
      moreNames,
    )

/** `0.5` for all modes, or `age:2`, `size:1` by mode. */
const byMode = (name: string, texts: readonly string[]): number | Record<string, number> => {
  const entries = texts.map(text => {
    const at = text.lastIndexOf(':')
    const value = Number(text.slice(at + 1))
    if (text.slice(at + 1).trim() === '' || !Number.isFinite(value) || value < 0) {
      throw new OptionError(`--${name} must be a number ≥ 0, or mode:number (got ${JSON.stringify(text)})`)
    }
    return [at < 0 ? undefined : text.slice(0, at), value] as const
  })
  const overall = entries.find(([mode]) => mode === undefined)
  if (overall === undefined) return Object.fromEntries(entries as [string, number][])
  if (entries.length > 1) throw new OptionError(`--${name} must be one number, or numbers by mode, not both`)
  return overall[1]
}

/** The same as the library takes them: only what was asked for, so that its defaults stay its own. */
export const fitOptions = (options: FitCommandOptions): Omit<FitOptions, 'rank'> => {
  const { starts, seed, algorithm, maxPasses, maxSeconds, tolerance, threads } = options
  const plain = { starts, seed, algorithm, maxPasses, maxSeconds, tolerance, threads }
  return {
    ...(Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Omit<
      FitOptions,
      'rank'
    >),
    ...(options.pseudoCounts === undefined ? {} : { pseudoCounts: byMode('pseudo-counts', options.pseudoCounts) }),
    ...(options.smoothing === undefined
      ? {}
      : { smoothing: options.smoothing.join() === 'auto' ? 'auto' : byMode('smoothing', options.smoothing) }),
  }
}
