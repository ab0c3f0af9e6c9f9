import { type FitOptions, OptionError } from '@polyad/core'
import { CHECKPOINT_OPTIONS, FIT_OPTIONS } from '@polyad/core/options'
import type { OptionGroup } from './definition.ts'
import { given, optionsOf, parser } from './option-values.ts'

const PLAIN = ['starts', 'seed', 'algorithm', 'precision', 'maxPasses', 'tolerance', 'minGain', 'threads'] as const

/** Options of the commands that fit, as the command line gives them. */
export interface FitCommandOptions extends Pick<FitOptions, (typeof PLAIN)[number] | 'maxSeconds'> {
  readonly pseudoCounts?: string[]
  readonly smoothing?: string[]
  readonly checkpoint?: string
  readonly checkpointEvery?: number
}

export const fitOption = optionsOf(FIT_OPTIONS)

/** The options of a fit. */
export const FIT: OptionGroup = {
  title: 'Fit',
  options: [
    fitOption('starts', 'number of random starts; auto: search until the best solution has been found repeatedly'),
    fitOption('seed', 'random seed; the same seed gives the same result'),
    fitOption('algorithm', 'accelerated EM, or plain EM (em)'),
    fitOption(
      'precision',
      'precision in which runs start; all end in double precision; auto: single for large data if the engine is faster with it',
    ),
    fitOption('maxPasses', 'maximum number of passes over the data, all starts together'),
    fitOption('maxSeconds', 'time limit for the whole command, reading included; returns the best solution so far'),
    fitOption('tolerance', 'relative change of the loss below which a run has converged'),
    fitOption(
      'minGain',
      'end a run if its expected further gain is below this fraction of the loss; 0: run to convergence (default: 1e-6 on large data)',
      { formerly: '--gain' },
    ),
    fitOption('threads', 'number of threads (default: all cores)'),
    fitOption(
      'pseudoCounts',
      'Dirichlet prior: counts added to every category; variable:x for one variable (repeatable)',
    ),
    fitOption(
      'smoothing',
      'smooth ordered variables over neighbouring categories; variable:width for one variable (repeatable); auto: width by cross-validation',
      { value: 'width' },
    ),
    {
      flags: '--checkpoint <file>',
      text: 'save the state of the work to this file; if the process is killed, the same command resumes from it with the same result; removed at the end',
      library: ['checkpoint'],
      writes: true,
    },
    {
      flags: '--checkpoint-every <seconds>',
      text: `seconds between two writes of the checkpoint, after the first minute (default: ${CHECKPOINT_OPTIONS.every.default})`,
      parse: parser(CHECKPOINT_OPTIONS.every.check),
      library: ['every'],
    },
  ],
}

/** `0.5` for all modes, or `age:2`, `size:1` by mode. */
const byMode = (name: string, texts: readonly string[]): number | Record<string, number> => {
  const entries = texts.map(text => {
    const at = text.lastIndexOf(':')
    const value = Number(text.slice(at + 1))
    if (text.slice(at + 1).trim() === '' || !Number.isFinite(value) || value < 0) {
      throw new OptionError(name, 'must be a number ≥ 0, or variable:number', text)
    }
    return [at < 0 ? undefined : text.slice(0, at), value] as const
  })
  const overall = entries.find(([mode]) => mode === undefined)
  if (overall === undefined) return Object.fromEntries(entries as [string, number][])
  if (entries.length > 1) throw new OptionError(name, 'must be one number, or numbers by variable, not both')
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
