import { type FitOptions, OptionError } from '@polyad/core'
import { FIT_OPTIONS } from '@polyad/core/options'
import type { OptionGroup } from './definition.ts'
import { given, optionsOf } from './option-values.ts'

const PLAIN = ['starts', 'seed', 'algorithm', 'maxPasses', 'tolerance', 'minGain', 'threads'] as const

/** Options of the commands that fit, as the command line gives them. */
export interface FitCommandOptions extends Pick<FitOptions, (typeof PLAIN)[number] | 'maxSeconds'> {
  readonly pseudoCounts?: string[]
  readonly smoothing?: string[]
}

export const fitOption = optionsOf(FIT_OPTIONS)

/** The options of a fit. */
export const FIT: OptionGroup = {
  title: 'Fit',
  options: [
    fitOption('starts', 'auto: search until the best is found again and again; n: this many random starts'),
    fitOption('seed', 'the same seed gives the same bits'),
    fitOption('algorithm', "how to descend; em: the paper's own steps"),
    fitOption('maxPasses', 'maximum number of passes over the data in all'),
    fitOption('maxSeconds', 'time limit for the whole command, reading included; the best so far is the answer'),
    fitOption('tolerance', 'the relative change of the loss below which it counts as settled'),
    fitOption(
      'minGain',
      'end a run once its last steps, extrapolated, promise less than this part of the loss; 0: go on to the last digit (default: 1e-6 on large data)',
      { formerly: '--gain' },
    ),
    fitOption('threads', 'how many threads (default: all cores)'),
    fitOption('pseudoCounts', 'a Dirichlet prior: counts added to every label; or mode:x for one mode'),
    fitOption(
      'smoothing',
      'smooth ordered modes over neighbouring labels; or mode:width for one mode; auto: by data left out',
      { value: 'width' },
    ),
  ],
}

/** `0.5` for all modes, or `age:2`, `size:1` by mode. */
const byMode = (name: string, texts: readonly string[]): number | Record<string, number> => {
  const entries = texts.map(text => {
    const at = text.lastIndexOf(':')
    const value = Number(text.slice(at + 1))
    if (text.slice(at + 1).trim() === '' || !Number.isFinite(value) || value < 0) {
      throw new OptionError(name, 'must be a number ≥ 0, or mode:number', text)
    }
    return [at < 0 ? undefined : text.slice(0, at), value] as const
  })
  const overall = entries.find(([mode]) => mode === undefined)
  if (overall === undefined) return Object.fromEntries(entries as [string, number][])
  if (entries.length > 1) throw new OptionError(name, 'must be one number, or numbers by mode, not both')
  return overall[1]
}

/** The same as the library takes them. The time limit is for the whole command, and the command keeps it. */
export const fitOptions = (options: FitCommandOptions): Omit<FitOptions, 'rank'> => {
  const { pseudoCounts, smoothing } = options
  return {
    ...given(options, PLAIN),
    ...(pseudoCounts !== undefined && { pseudoCounts: byMode('pseudoCounts', pseudoCounts) }),
    ...(smoothing !== undefined && {
      smoothing: smoothing.join() === 'auto' ? 'auto' : byMode('smoothing', smoothing),
    }),
  }
}
