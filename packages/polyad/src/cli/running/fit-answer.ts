import type { Counts, Model } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { Analysis } from '../../analysis/analyze.ts'
import { profiles } from '../../report/figures/fit-figures.ts'
import { findings, findingsText } from '../../report/page/findings.ts'
import type { ReportFacts } from '../../report/record/report.ts'
import { bootstrapFigures, bootstrapText, intervalsBeside } from '../../report/text/bootstrap-text.ts'
import { errorFigures } from '../../report/text/error-table.ts'
import { fitText } from '../../report/text/fit-text.ts'
import { residualsText } from '../../report/text/residuals-text.ts'
import { structureText } from '../../report/text/structure-text.ts'
import type { Labels } from '../../table/values/codebook.ts'
import { shellWord } from '../../table/values/shell-words.ts'
import type { inPopulation } from '../reading/prepare-source.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What an answer has besides the analysis: the model in the population, and the lines of what was written. */
interface Beside extends ReturnType<typeof inPopulation> {
  readonly model: Model
  readonly files: readonly string[]
  /** What is said of the model at the end, if it is known. */
  readonly facts: ReportFacts | undefined
  /** What variables and values are called. */
  readonly labels: Labels
  /** Whether every figure is shown. */
  readonly details: boolean
  /** What to do with the model. */
  readonly next: readonly string[]
}

/** Answers with all that is known of a fit: its tables, or the object of `--json`, with further fields at its end. */
export const answerFit = (
  { result, sections, errors, effects, figures, bootstrap, residuals, variables, tensor, linked }: Analysis,
  terminal: Terminal,
  { labels, model, figures: population, files, facts, details, next }: Beside,
  fields: object,
): void => {
  const names = variables ?? tensor.modes.map(({ name }) => name)
  const page = { ...terminal, labels }
  terminal.answer(
    () => [
      '',
      ...fitText(model, figures, page, {
        details,
        population: population.population?.sizes,
        errors,
        beside: bootstrap && intervalsBeside(bootstrap),
        simulated: bootstrap?.gSquared !== undefined,
        sections: structureText(sections, terminal),
        explained: linked === undefined ? effects && whyExplained(effects.names, tensor) : 'rows belong together',
      }),
      ...(bootstrap === undefined ? [] : bootstrapText(bootstrap, terminal, figures.sparse)),
      ...(residuals === undefined ? [] : residualsText(residuals, names, terminal, bootstrap?.replicates)),
      ...(facts === undefined ? [] : ['', ...findingsText(facts, terminal)]),
      ...files,
      ...next,
    ],
    () => ({
      ...figures,
      ...sections,
      ...population,
      profiles: profiles(result.model),
      ...(errors !== undefined && { standardErrors: errorFigures(errors) }),
      ...(bootstrap !== undefined && { bootstrap: bootstrapFigures(bootstrap, result.model) }),
      ...defined({ residuals }),
      ...(facts !== undefined && findings(facts)),
      ...fields,
    }),
  )
}

/** Why there is one table for each kind of row. If answers are missing, that is the reason why there is no test. */
const whyExplained = (covariates: readonly string[], { modes, missing }: Counts): string | undefined => {
  if (covariates.length === 0) return 'classes are known'
  const isIncomplete = modes.some(({ name }, n) => missing[n] && !covariates.includes(name))
  return isIncomplete ? undefined : 'covariates explain the classes'
}

/** What most people do next: without a saved model, save it. */
export const nextSteps = (
  paths: readonly string[],
  { output: saved, report }: { readonly output?: string; readonly report?: string },
): readonly string[] => {
  const data = paths.length === 1 && paths[0] !== '-' ? ` ${shellWord(paths[0])}` : ''
  if (saved === undefined)
    return ['', 'Next: add -o model.npz to save the model, or --report report.html to write a report']
  const model = shellWord(saved)
  return [
    '',
    'Next:',
    ...(data === '' ? [] : [`  polyad classify ${model}${data} -o classes.csv`]),
    ...(report === undefined
      ? [`  polyad report ${model}${data} -o report.html`]
      : [`  polyad plot ${model} -o profiles.svg`]),
  ]
}
