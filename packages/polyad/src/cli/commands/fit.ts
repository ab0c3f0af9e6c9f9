import { checkCounts, hasCells, OptionError } from '@polyad/core'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { errorFigures } from '../../report/error-table.ts'
import { fitFigures, profiles } from '../../report/fit-figures.ts'
import { fitText, tensorLine } from '../../report/fit-text.ts'
import { sizeWarning } from '../../report/model-size.ts'
import { count } from '../../report/numbers.ts'
import { structureRemarks, structureText } from '../../report/structure-text.ts'
import { structuredRecipe } from '../../table/rules/structured-recipe.ts'
import {
  BOOTSTRAP,
  BOOTSTRAP_FIELDS,
  type BootstrapCommandOptions,
  checkBootstrap,
} from '../options/bootstrap-options.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { adviceInFlags } from '../options/flags.ts'
import { asWholeNumber } from '../options/option-values.ts'
import { FIT_FIELDS, MODEL_OUTPUT, OUTPUT, OUTPUT_FIELD, SOURCE_FIELD } from '../options/output-options.ts'
import {
  checkReport,
  REPORT_FIELD,
  REPORT_OUTPUT,
  type ReportCommandOptions,
  reportOptions,
} from '../options/report-options.ts'
import { SAMPLE, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import {
  STATISTICS,
  STATISTICS_FIELDS,
  type StatisticsCommandOptions,
  standardErrorOptions,
} from '../options/statistics-options.ts'
import { STRUCTURE, STRUCTURE_FIELDS, type StructureOptions, structureOf } from '../options/structure-options.ts'
import { checkFit } from '../running/check-fit.ts'
import { defineCommand } from '../running/define-command.ts'
import { ENGINE, type EngineOptions, fitInPlace, staysInPlace } from '../running/in-database.ts'
import { openDataFor } from '../running/reading.ts'
import { modelRecord } from '../running/record.ts'
import { fittable } from '../running/structured-fit.ts'
import { writeReport } from '../running/write-report.ts'
import { fitProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { timeLimit } from '../terminal/time-limit.ts'

interface Options
  extends DataOptions,
    FitCommandOptions,
    StructureOptions,
    SampleOptions,
    StatisticsCommandOptions,
    BootstrapCommandOptions,
    ReportCommandOptions,
    EngineOptions,
    OutputOptions {
  readonly rank?: number
  readonly output?: string
}

export const fitClasses = defineCommand({
  name: 'fit',
  summary: 'find the classes in a table of counts',
  examples: [
    ['polyad fit survey.csv -k 3', 'three classes; the columns are chosen and named'],
    ['polyad fit survey.csv -k 3 --modes age,sex,vote -o model.npz', 'these columns; keep the model'],
    ['polyad fit iris.csv -k 3 --bin petal_length:0.5 --except species', 'cut a measurement into bins'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '-k, --rank <n>', text: 'how many classes to find (needed)', parse: asWholeNumber(1) },
        MODEL_OUTPUT,
        ...REPORT_OUTPUT,
        ENGINE,
      ],
    },
    OPEN_DATA,
    STRUCTURE,
    SAMPLE,
    FIT,
    STATISTICS,
    BOOTSTRAP,
    OUTPUT,
  ],
  fields: [
    ...FIT_FIELDS,
    ...STRUCTURE_FIELDS,
    ['profiles', 'for each mode: name, labels, and probabilities, one list of P[label | class] per class'],
    ...STATISTICS_FIELDS,
    ...BOOTSTRAP_FIELDS,
    OUTPUT_FIELD,
    REPORT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { rank, output, report } = options
    if (rank === undefined)
      throw new OptionError('say how many classes to find, as in -k 3; polyad rank compares several')
    if (staysInPlace(paths, options)) return fitInPlace(call, options, rank, paths)
    checkReport(options, { paths, sql: options.sql }, rank)
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const settings = fitOptions(options)
    const structure = structureOf(options, settings, options)
    const sample = sampleOf(options, structure, options)
    const wanted = standardErrorOptions(options, structure, call)
    checkBootstrap(options, structure, options)
    const limit = timeLimit(options.maxSeconds)
    const include = [...structure.include, ...sample.include]
    const needsCells = needing(options)
    const data = await openDataFor(call, paths, options, { limit, include, needsCells, ...sample.reading })
    const { tensor, left, renamed, fitWith } = fittable(data, structure, sample)
    if (renamed) terminal.note('clusters of the same name in different strata are taken as different clusters')
    terminal.note(tensorLine(tensor, data.rows))
    if (options.bootstrap !== undefined) checkCounts(tensor)
    if (left > 0)
      terminal.note(`${count(left)} of ${count(data.tensor.total)} left out, with something missing (--complete)`)
    // Covariates are no modes of the model.
    const warning = structure.covariates === undefined ? sizeWarning(tensor, rank) : undefined
    if (warning !== undefined) terminal.warn(warning)
    interrupt.after(limit.left())
    interrupt.graceful(note => {
      line.clear()
      terminal.note(note)
    })
    const found = await fitWith(
      { rank, ...settings, signal: interrupt.signal, onProgress: fitProgress(line, tensor.cells, limit.left) },
      wanted,
      options.level,
    )
    const checks = await checkFit(call, found.tensor, found.result, settings, options)
    line.clear()
    const { result, sections, errors } = found
    const figures = adviceInFlags(fitFigures(found.tensor, result, found.seconds, found.evaluation), terminal.flags)
    for (const remark of structureRemarks(sections, data.tensor)) terminal.warn(remark)
    if (output !== undefined || report !== undefined) {
      const { trace, attempts } = result
      const recipe = structuredRecipe(data, result.model, structure.join, found.explained)
      const { include: _, ...asked } = structure
      const run = modelRecord(
        'fit',
        { ...data, recipe, tensor: found.tensor },
        { rank, ...settings, ...asked, ...sample.reading, ...sample.design, maxSeconds: options.maxSeconds },
        { ...figures, ...sections, trace, attempts },
      )
      if (output !== undefined) await saveModel(output, result.model, run)
      if (report !== undefined)
        await writeReport(report, result.model, {
          ...reportOptions(options),
          ...{ run, errors },
          ...(hasCells(found.tensor) && { data: found.tensor }),
        })
    }
    terminal.answer(
      () => [
        '',
        ...fitText(result.model, figures, terminal, {
          errors,
          beside: checks.beside,
          sections: structureText(sections, terminal),
          explained: found.explained !== undefined,
        }),
        ...checks.lines(),
        ...saved(output, report),
      ],
      () => ({
        ...figures,
        ...sections,
        ...(structure.complete === true && { left }),
        profiles: profiles(result.model),
        ...(errors === undefined ? {} : { standardErrors: errorFigures(errors) }),
        ...checks.figures,
        ...(output === undefined ? {} : { output }),
        ...(report === undefined ? {} : { report }),
        source: data.source,
      }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best so far')
      process.exitCode = interrupt.exitCode()
    }
  },
})

/** What was asked for that needs the cells in memory. */
const needing = (options: Options): string | undefined => {
  const { covariates, groups, join, complete, cluster, weights, se, bootstrap, residuals, report } = options
  const asked = { covariates, groups, join, complete, cluster, bootstrap, residuals, report }
  const [first] = Object.entries(asked).filter(([, value]) => value !== undefined)
  if (first !== undefined) return `--${first[0]}`
  if (weights !== undefined && se !== undefined) return '--se with --weights'
  return options.smoothing?.join() === 'auto' ? '--smoothing auto' : undefined
}

/** Where what was written is. */
export const saved = (output: string | undefined, report?: string): string[] => [
  ...(output === undefined && report === undefined ? [] : ['']),
  ...(output === undefined ? [] : [`The model is in ${output}`]),
  ...(report === undefined ? [] : [`The report is in ${report}`]),
]
