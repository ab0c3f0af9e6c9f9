import { type Criterion, OptionError, type Tensor } from '@polyad/core'
import { answeredBy, isLinked, linkedSums } from '@polyad/core/model'
import { CHOOSE_RANK_OPTIONS, defined, excludedBy, is } from '@polyad/core/options'
import { placeUpdate } from '@polyad/core/stats'
import { coefficientsOf } from '../../analysis/coefficients.ts'
import { compareRanks } from '../../analysis/compare-ranks.ts'
import { namedItems } from '../../analysis/named-columns.ts'
import { isExplained } from '../../analysis/request.ts'
import { saveModel } from '../../output/model-store.ts'
import { lastRank, sizeWarning } from '../../report/figures/model-size.ts'
import { missingFromRanks, notComputedClause } from '../../report/figures/not-computed.ts'
import { counted } from '../../report/numbers.ts'
import { findings, findingsText } from '../../report/page/findings.ts'
import type { ReportFacts } from '../../report/record/report.ts'
import { describedClasses } from '../../report/text/fit-text.ts'
import { rankText } from '../../report/text/rank-text.ts'
import { type Sections, structureText } from '../../report/text/structure-text.ts'
import { structuredRecipe } from '../../table/reading/structured-recipe.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA, SCRATCH } from '../options/data-options.ts'
import type { Field } from '../options/definition.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { ITEMS } from '../options/item-options.ts'
import { LABELS, type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import { optionsOf, parser, rankRange } from '../options/option-values.ts'
import {
  CHECKPOINT_FIELD,
  DETAILS,
  FINDINGS_FIELDS,
  FIT_FIELDS,
  MODEL_OUTPUT,
  NOT_COMPUTED_FIELD,
  OUTPUT,
  OUTPUT_FIELD,
  RANK_TEST_FIELDS,
  SOURCE_FIELD,
  STOPPED_FIELD,
  WARNINGS_FIELD,
} from '../options/output-options.ts'
import { REPORT_FIELD, REPORT_OUTPUT, type ReportCommandOptions } from '../options/report-options.ts'
import { SAMPLE, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import {
  COVARIATE_FIELD,
  STRUCTURE_FIELDS,
  STRUCTURE_OF_ALL,
  type StructureOfAll,
  structureOf,
} from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { ENGINE, type EngineOptions } from '../reading/open-source.ts'
import { inPopulation } from '../reading/prepare-source.ts'
import { DRY_RUN, type DryRunOptions } from '../running/dry-run.ts'
import { withData } from '../running/with-data.ts'
import { objectType } from '../schema/type-notation.ts'
import type { OutputOptions, Terminal } from '../terminal/terminal.ts'
import { keepModel } from '../writing/describe-model.ts'
import { modelRecord } from '../writing/fit-record.ts'

interface Options
  extends DataOptions,
    SampleOptions,
    FitCommandOptions,
    Omit<StructureOfAll, 'groupClasses'>,
    ReportCommandOptions,
    EngineOptions,
    LabelsOptions,
    DryRunOptions,
    OutputOptions {
  readonly rank: readonly [from: number, to: number]
  readonly groupClasses?: number | readonly [from: number, to: number]
  readonly by: Criterion
  readonly thorough?: boolean
  readonly folds: number
  readonly test?: boolean
  readonly replicates?: number
  readonly output?: string
  readonly show?: boolean
  readonly details?: boolean
}

const option = optionsOf(CHOOSE_RANK_OPTIONS)

/** One number of classes of groups, or a range of them. */
const STRUCTURE_OF_RANKS = {
  ...STRUCTURE_OF_ALL,
  options: STRUCTURE_OF_ALL.options.map(each =>
    each.library?.includes('groupClasses') === true
      ? {
          flags: '--group-classes <range>',
          text: 'with --within: number of classes of groups, or a range such as 1..4, which is compared in steps: classes, group classes, classes again',
          parse: (text: string) => (/^\d+$/.test(text) ? rankRange(text)[1] : rankRange(text)),
          library: each.library,
        }
      : each,
  ),
}

/** Fewer than a test by itself has: there is one for every number of classes. */
const REPLICATES = 200

const noFolds = (reason: string) => `no held-out log-likelihood: ${reason}`

export const rank = defineCommand({
  name: 'rank',
  summary: SUMMARIES.rank,
  examples: [
    ['polyad rank survey.csv', 'compare one to six classes'],
    ['polyad rank survey.csv -k 1..8 --starts 50', 'up to eight, with fifty random starts each'],
    [
      'polyad rank survey.csv --by heldOut -o model.npz',
      'recommend by prediction of held-out rows; save the recommended model',
    ],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '-k, --rank <range>',
          text: 'numbers of classes to compare',
          parse: rankRange,
          default: [1, 6],
          defaultText: '1..6',
          library: ['rank', 'to', 'from'],
        },
        option('by', 'criterion for the recommendation', {
          value: 'criterion',
          default: CHOOSE_RANK_OPTIONS.by.default,
        }),
        option('thorough', 'search every number of classes as polyad fit does, also those that cannot be recommended'),
        option('folds', 'number of folds for the held-out log-likelihood; 0: leave it out', {
          default: CHOOSE_RANK_OPTIONS.folds.default,
        }),
        { flags: '--test', text: 'test every number of classes against one more (bootstrap likelihood-ratio test)' },
        {
          flags: '--replicates <n>',
          text: `with --test: maximum number of bootstrap replicates; stops early if the conclusion is clear (default: ${REPLICATES})`,
          parse: parser(is.whole(1)),
        },
        { ...MODEL_OUTPUT, text: 'file to save the recommended model to: .npz or .json' },
        ...REPORT_OUTPUT,
        { flags: '--show', text: 'print the classes of the recommended model too' },
        LABELS,
        DETAILS,
        DRY_RUN,
        ENGINE,
      ],
    },
    { ...OPEN_DATA, options: [...OPEN_DATA.options, SCRATCH] },
    ITEMS,
    STRUCTURE_OF_RANKS,
    SAMPLE,
    FIT,
    OUTPUT,
  ],
  fields: [
    [
      'fits',
      'one object for each number of classes, like that of polyad fit, with criteria.heldOut; with --test, test; and brief: true if it was only searched briefly',
      `${objectType([...FIT_FIELDS, ...STRUCTURE_FIELDS, ['test', 'with --test', `${objectType(RANK_TEST_FIELDS)}?`], ['brief', 'whether it was only searched briefly', 'boolean?'], ['numberOfGroupClasses', 'with a range of --group-classes', 'integer?']])}[]`,
    ],
    ['recommended, reason', 'the recommended number of classes, and why', 'integer | null, string'],
    [
      'recommendedGroupClasses',
      'with a range of --group-classes: the recommended number of classes of groups; each of fits then has numberOfGroupClasses',
      'integer?',
    ],
    ['left', 'with --complete: observations that were left out', 'number?'],
    [
      COVARIATE_FIELD[0],
      `with --covariates or --groups, of the recommended model: ${COVARIATE_FIELD[1]}`,
      COVARIATE_FIELD[2],
    ],
    ...FINDINGS_FIELDS.map(([names, text, type]): Field => [names, `of the recommended model: ${text}`, type]),
    WARNINGS_FIELD,
    STOPPED_FIELD,
    NOT_COMPUTED_FIELD,
    OUTPUT_FIELD,
    REPORT_FIELD,
    CHECKPOINT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { by, thorough = false, folds, test = false, replicates = REPLICATES } = options
    if (!test && options.replicates !== undefined) throw new OptionError('--replicates needs --test, which draws them')
    const { terminal, line } = call
    const [from, most] = options.rank
    const settings = fitOptions(options)
    const { complete = false } = options
    const { groupClasses, ...others } = options
    const groupRange = typeof groupClasses === 'number' ? undefined : groupClasses
    const mostGroups = typeof groupClasses === 'number' ? groupClasses : groupClasses?.[1]
    const { include, ...structure } = structureOf(
      { ...others, ...defined({ groupClasses: mostGroups }) },
      settings,
      defined({ variables: options.variables }),
    )
    const isPlain = !isExplained(structure)
    const sample = sampleOf(options, { ...defined({ variables: options.variables }), ...structure })
    const plan = {
      command: 'rank',
      planned: { rank: { from, to: most } },
      reading: { include, ...sample },
      fit: { ...settings, rank: most },
      structure: { ...structure, complete },
      design: sample.design,
    }
    await withData(call, paths, options, plan, async ({ source, prepared, limit, files, begin, record }) => {
      const { tensor, session, left, unusable } = prepared
      const excluded = excludedBy('held-out', structure)
      if (folds > 0 && session !== undefined) terminal.note(noFolds('it needs the cells in memory'))
      if (folds > 0 && excluded !== undefined) terminal.note(noFolds(excluded.reason))
      const { to, note } = lastRank(tensor, from, most)
      if (note !== undefined) terminal.note(note)
      // Covariates are no variables of the model.
      const warning = isPlain ? sizeWarning(tensor, to, namedItems(tensor, structure.items).items) : undefined
      if (warning !== undefined) terminal.warn('large-model', `${counted(to, 'class', 'classes')}: ${warning}`)
      const { memory, running } = await begin({ ...settings, rank: to })
      const found = await compareRanks(
        prepared,
        {
          from,
          to,
          by,
          thorough,
          folds,
          ...(test && { replicates }),
          fit: { ...settings, ...memory },
          structure,
          ...defined({ groupRange }),
        },
        running,
      )
      const { fits, figures, recommended, recommendedGroupClasses, reason, stopped, failure } = found
      line.clear()
      for (const each of found.warnings) terminal.warn('statistics', each)
      const asked = {
        ranks: to - from + 1,
        heldOut: folds > 0 && session === undefined && excluded === undefined,
        test,
        covariates: !isPlain,
      }
      const missing = (sections: Partial<Sections>) => [
        ...missingFromRanks(figures, asked),
        ...(asked.covariates && sections.covariates === undefined ? ['covariates'] : []),
        ...(options.report !== undefined && files.written().report === undefined ? ['report'] : []),
      ]
      const chosen = fits.findIndex(
        ({ rank, result: { model } }) =>
          rank === recommended &&
          (recommendedGroupClasses === undefined ||
            (model.structure.kind === 'nested' && model.structure.groupSizes.length === recommendedGroupClasses)),
      )
      let facts: ReportFacts | undefined
      /** Answers with what is known, on a terminal. */
      const answer = (on: Terminal, ended: boolean, sections: Partial<Sections> = {}, facts?: ReportFacts) =>
        on.answer(
          () => [
            '',
            ...rankText(figures, { by, recommended, recommendedGroupClasses, reason }, on, {
              details: options.details === true,
            }),
            ...(options.show === true && chosen >= 0
              ? [
                  '',
                  ...describedClasses(fits[chosen].result.model, {
                    ...on,
                    labels: shownLabels(options, source.recipe.labels),
                  }),
                ]
              : []),
            ...(sections.covariates === undefined ? [] : ['', ...structureText(sections, on)]),
            ...(facts === undefined ? [] : ['', ...findingsText(facts, on)]),
            ...files.lines(),
            ...(chosen >= 0 && options.output === undefined && !ended
              ? [
                  '',
                  `Next: --show prints the ${counted(figures[chosen].rank, 'class', 'classes')}, and -o model.npz saves the model`,
                ]
              : []),
          ],
          () => ({
            fits: figures,
            recommended,
            ...defined({ recommendedGroupClasses }),
            reason,
            ...(complete && { left }),
            ...sections,
            ...(facts !== undefined && findings(facts)),
            ...(found.warnings.length > 0 && { warnings: found.warnings }),
            ...(ended && { stopped: ended, notComputed: missing(sections) }),
            ...record(),
          }),
        )
      /** What is said if nobody waits for more than this. */
      const sofar = (sections?: Partial<Sections>) =>
        call.sofar(aside => {
          aside.warn(
            'stopped',
            `stopped early: the numbers of classes were compared, but the recommended model was not described`,
          )
          answer(aside, true, sections)
        })
      let sections: Partial<Sections> = {}
      sofar()
      if (chosen >= 0) {
        const { result: best, data: placed } = fits[chosen]
        const { model, trace, attempts } = best
        const settled = {
          rank: recommended,
          ...settings,
          ...structure,
          ...(complete && { complete }),
          weights: sample.weights,
          weightsAsTotals: options.weightsAsTotals,
          ...sample.design,
          maxSeconds: options.maxSeconds,
        }
        const { model: kept, figures: population } = inPopulation(model, prepared, options)
        const data = isPlain ? tensor : found.items
        const recipe = structuredRecipe(source, model, undefined, model.structure.parts)
        const runOf = (more: object) => {
          const result = { ...figures[chosen], ...more, trace, attempts, ...(complete && { left }), ...population }
          const made = modelRecord('rank', call, { ...source, recipe, tensor: data }, settled, result)
          return { ...made, ranks: found.record }
        }
        // The model is saved before anything else can go wrong, and once more with what describes it.
        await files.write('output', options.output, path => saveModel(path, kept, runOf({})))
        const saved = files.written().output
        if (saved !== undefined) call.kept(saved)
        sofar()
        if (placed !== undefined)
          sections = await coefficientsOf(placed, model, {
            unusable,
            sampled: sample.design !== undefined || prepared.rowWeights !== undefined,
          })
        const rows = placed ?? source.session ?? (tensor as Tensor)
        const updatable = model.structure.parts === undefined
        const lacks = updatable && (placed?.items ?? tensor).missing.includes(true)
        const answered = isLinked(model.structure)
          ? await linkedSums(placeUpdate(tensor as Tensor, model), model)
          : lacks
            ? { answered: await answeredBy(rows, model) }
            : {}
        sofar(sections)
        const run = runOf({ ...sections, ...answered })
        facts = await keepModel(files, options, { model, kept, run, data, placed, stopped, secondsLeft: limit.left() })
      }
      answer(terminal, stopped, sections, facts)
      if (failure !== undefined) throw failure
      return stopped
        ? `stopped early: these are the numbers of classes compared so far${notComputedClause(missing(sections))}`
        : undefined
    })
  },
})
