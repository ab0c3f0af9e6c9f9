import { type FitOptions, OptionError } from '@polyad/core'
import { InvalidArgumentError } from 'commander'
import type { OptionGroup } from './definition.ts'
import { asWholeNumber, moreNames, number } from './option-values.ts'

/** Options of the commands that fit, as the command line gives them. */
export interface FitCommandOptions {
  readonly starts?: 'auto' | number
  readonly seed?: number
  readonly algorithm?: 'accelerated' | 'em'
  readonly maxPasses?: number
  readonly maxSeconds?: number
  readonly tolerance?: number
  readonly minGain?: number
  readonly threads?: number
  readonly pseudoCounts?: string[]
  readonly smoothing?: string[]
}

const starts = (text: string): 'auto' | number => {
  if (text === 'auto') return text
  try {
    return asWholeNumber(1)(text)
  } catch {
    throw new InvalidArgumentError('It must be auto or a whole number ≥ 1.')
  }
}

/** The options of a fit. */
export const FIT: OptionGroup = {
  title: 'Fit',
  options: [
    {
      flags: '--starts <n>',
      text: 'auto: search until the best is found again and again; n: this many random starts (default: auto)',
      parse: starts,
    },
    { flags: '--seed <n>', text: 'the same seed gives the same bits (default: 1)', parse: asWholeNumber(0) },
    {
      flags: '--algorithm <name>',
      text: "how to descend; em: the paper's own steps",
      choices: ['accelerated', 'em'],
    },
    { flags: '--max-passes <n>', text: 'maximum number of passes over the data in all', parse: asWholeNumber(1) },
    {
      flags: '--max-seconds <x>',
      text: 'time limit for the whole command, reading included; the best so far is the answer',
      parse: number(0),
    },
    {
      flags: '--tolerance <x>',
      text: 'the relative change of the loss below which it counts as settled',
      parse: number(0),
    },
    {
      flags: '--min-gain <x>',
      formerly: '--gain',
      text: 'end a run once its last steps, extrapolated, promise less than this part of the loss; 0: go on to the last digit (default: 1e-6 on large data)',
      parse: number(0),
    },
    { flags: '--threads <n>', text: 'how many threads (default: all cores)', parse: asWholeNumber(1) },
    {
      flags: '--pseudo-counts <x>',
      text: 'a Dirichlet prior: counts added to every label; or mode:x for one mode',
      parse: moreNames,
    },
    {
      flags: '--smoothing <width>',
      text: 'smooth ordered modes over neighbouring labels; or mode:width for one mode; auto: by data left out',
      parse: moreNames,
    },
  ],
}

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

/**
 * The same as the library takes them: only what was asked for, so that its defaults stay its own. The time limit is for
 * the whole command, and the command keeps it.
 */
export const fitOptions = (options: FitCommandOptions): Omit<FitOptions, 'rank'> => {
  const { starts, seed, algorithm, maxPasses, tolerance, minGain, threads } = options
  const plain = { starts, seed, algorithm, maxPasses, tolerance, minGain, threads }
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
