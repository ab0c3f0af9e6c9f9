import {
  type Bootstrap,
  bivariateResiduals,
  bootstrap,
  type Counts,
  type FitOptions,
  type FitResult,
  hasCells,
  residuals,
  type Tensor,
} from '@polyad/core'
import { bootstrapFigures, bootstrapRecord, bootstrapText, intervalsBeside } from '../../report/bootstrap-text.ts'
import type { Beside } from '../../report/profile-table.ts'
import { type ResidualFigures, residualsText } from '../../report/residuals-text.ts'
import { type BootstrapCommandOptions, cellsAsked } from '../options/bootstrap-options.ts'
import { replicateProgress } from '../terminal/progress-line.ts'
import type { Call } from './define-command.ts'

/** What was asked for besides the fit itself. */
export interface FitChecks {
  readonly figures: object
  /** What a model file keeps. */
  readonly record: object
  readonly lines: () => string[]
  readonly beside: Beside | undefined
}

/** The bootstrap and the residuals of a fit, as far as they were asked for. */
export const checkFit = async (
  call: Call,
  tensor: Counts,
  result: Pick<FitResult, 'model' | 'smoothing'>,
  settings: Omit<FitOptions, 'rank'>,
  options: BootstrapCommandOptions,
): Promise<FitChecks> => {
  // What needs the cells was refused where they are not in memory.
  if (!hasCells(tensor)) return { figures: {}, record: {}, lines: () => [], beside: undefined }
  const { model } = result
  const found = await drawn(call, tensor, result, settings, options)
  const limit = cellsAsked(options)
  const left: ResidualFigures | undefined =
    limit === undefined
      ? undefined
      : {
          cells: residuals(tensor, model, { limit }),
          pairs: found?.kind === 'parametric' ? found.pairs : bivariateResiduals(tensor, model),
        }
  return {
    figures: {
      ...(found !== undefined && { bootstrap: bootstrapFigures(found, model) }),
      ...(left !== undefined && { residuals: left }),
    },
    record: found === undefined ? {} : bootstrapRecord(found),
    lines: () => [
      ...(found === undefined ? [] : bootstrapText(found, call.terminal)),
      ...(left === undefined ? [] : residualsText(left, tensor.modes.map(({ name }) => name), call.terminal)), // biome-ignore format: one call
    ],
    beside: found === undefined ? undefined : intervalsBeside(found),
  }
}

const drawn = async (
  { line, interrupt, terminal }: Call,
  tensor: Tensor,
  { model, smoothing }: Pick<FitResult, 'model' | 'smoothing'>,
  { seed, algorithm, threads, pseudoCounts, ...rest }: Omit<FitOptions, 'rank'>,
  { bootstrap: replicates, bootstrapKind: kind }: BootstrapCommandOptions,
): Promise<Bootstrap | undefined> => {
  if (replicates === undefined) return undefined
  if (interrupt.signal.aborted) {
    terminal.warn('no replicate was drawn: the fit itself was stopped')
    return undefined
  }
  const given = { seed, algorithm, threads, pseudoCounts, smoothing: smoothing?.width ?? rest.smoothing }
  return bootstrap(tensor, model, {
    replicates,
    ...(kind !== undefined && { kind }),
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    signal: interrupt.signal,
    onReplicate: replicateProgress(line),
  })
}
