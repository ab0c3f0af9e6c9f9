import type { Counts, Model, StandardErrors } from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import { defined } from '@polyad/core/options'
import type { LinkedData, ModelData } from '@polyad/core/stats'
import { saveModel } from '../../output/model-store.ts'
import { reportFacts } from '../../report/page/report-facts.ts'
import { writeReport } from '../../report/page/write-report.ts'
import type { Report, ReportFacts } from '../../report/record/report.ts'
import { withLabels } from '../../table/values/codebook.ts'
import type { LabelsOptions } from '../options/labels-option.ts'
import { type ReportCommandOptions, reportOptions } from '../options/report-options.ts'
import type { Writing } from './output-files.ts'

/** What there is to say of a model that a command has just made. */
export interface Described {
  readonly model: Model
  /** What its file keeps. */
  readonly run: Readonly<Record<string, unknown>>
  /** The data it was fitted to, and whether the fit was stopped: its cells are looked at if they are in memory and there is time. */
  readonly data: Counts
  /** The same rows in the form of the model, if it has covariates, groups or known classes, or if rows belong together. */
  readonly placed?: ModelData | LinkedData | undefined
  readonly stopped: boolean
  readonly secondsLeft: number | undefined
  readonly errors?: StandardErrors | undefined
  readonly options?: { readonly names?: readonly string[]; readonly ordered?: readonly string[] }
}

/** A cell in the table of two variables takes some 10 ns, or several times as long if the table is sparse. */
const PAIR_SECONDS = 1e-7

const secondsForPairs = ({ cells, shape: { length: modes } }: Counts): number =>
  (PAIR_SECONDS * cells * modes * (modes - 1)) / 2

/**
 * Saves a model and writes its report, as far as they are asked for, and gives the facts of the report, or those that it would have.
 * @param kept the model as it is saved: of the population, if that is asked for
 */
export const keepModel = async (
  files: Writing,
  options: ReportCommandOptions & LabelsOptions & { readonly output?: string },
  { model, run, data, placed, stopped, secondsLeft, errors, kept }: Described & { readonly kept: Model },
): Promise<ReportFacts> => {
  await files.write('output', options.output, path => saveModel(path, kept, run))
  // Labels that are not to be shown stay with the model.
  const shown = options.labels === 'off' ? withLabels(run, 'off') : run
  let written: Report | undefined
  await files.write('report', options.report, async path => {
    const given = { ...reportOptions(options), run: shown, errors, ...(hasCells(data) && { data, placed }) }
    written = await writeReport(path, model, given)
  })
  return describeModel(written, { model, run: shown, data, placed, stopped, secondsLeft, errors })
}

/** The facts of the report that was written, or else those that it would have. */
export const describeModel = (
  report: Report | undefined,
  { model, run, data, placed, stopped, secondsLeft, errors, options }: Described,
): ReportFacts | Promise<ReportFacts> =>
  report ??
  reportFacts(model, {
    ...options,
    run,
    ...(!stopped &&
      hasCells(data) &&
      secondsForPairs(data) < (secondsLeft ?? Number.POSITIVE_INFINITY) && { data, placed }),
    ...(typeof run.digest === 'string' && { digest: run.digest }),
    ...defined({ errors }),
  })
