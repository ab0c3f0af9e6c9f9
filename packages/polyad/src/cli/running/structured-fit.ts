import {
  type Counts,
  type CovariateFit,
  completeCells,
  type EvaluateOptions,
  evaluate,
  type FitOptions,
  type FitResult,
  fit,
  fitCovariates,
  fitGroups,
  fitJoined,
  type Model,
  prepareDesign,
  type Session,
  type StandardErrorOptions,
  type StandardErrors,
  type SurveyDesign,
  standardErrors,
  type Tensor,
  wasmEngine,
  withoutModes,
} from '@polyad/core'
import { type CovariateFigures, covariateFigures } from '../../report/covariates-text.ts'
import { comparisonFigures, type GroupFigures, type JoinFigures } from '../../report/nested-text.ts'
import type { OpenedData } from '../../source/open-data.ts'
import { findColumn } from '../../table/rules/columns.ts'
import type { Sample } from '../options/sample-options.ts'
import type { Structure } from '../options/structure-options.ts'

/** What was fitted, and what is to be said of it besides the fit itself. */
export interface StructuredFit {
  /** The data as it was fitted: its modes are the model's. */
  readonly tensor: Counts
  readonly result: Omit<FitResult, 'divergence' | 'logProbability'>
  readonly evaluation: CovariateFit['evaluation']
  readonly seconds: number
  readonly sections: {
    readonly covariates?: CovariateFigures
    readonly groups?: GroupFigures
    readonly constraints?: unknown
    readonly join?: JoinFigures
  }
  /** Where they were asked for. */
  readonly errors?: StandardErrors | undefined
  /** Where membership is explained, by what. */
  readonly explained?: CovariateFit['covariates']
}

/** Standard errors that were asked for. */
interface WantedErrors {
  readonly options: StandardErrorOptions
  /** The data with the modes of the design, where there is one. */
  readonly data?: Tensor
}

/** Data as it is to be fitted, and how. */
export interface Fittable {
  readonly tensor: Counts
  /** How much of the data is left out. */
  readonly left: number
  /** Whether clusters had to be told apart by their strata. */
  readonly renamed: boolean
  fitWith(options: FitOptions, errors?: StandardErrorOptions, level?: number): Promise<StructuredFit>
}

/** How data is fitted: from disk as it is, since a structure needs the cells in memory. */
export const fittable = (data: OpenedData, structure: Structure, { design }: Pick<Sample, 'design'>): Fittable => {
  const { session } = data
  if (session !== undefined) {
    const fitWith: Fittable['fitWith'] = ({ threads: _, ...options }, errors) =>
      plainFit(session, structure.constraints, options, errors && { options: errors })
    return { tensor: data.tensor, left: 0, renamed: false, fitWith }
  }
  const drawn = chosenRows(data.tensor, structure)
  const designed = design === undefined ? undefined : designOf(drawn, design)
  const tensor = designed === undefined ? drawn : withoutModes(drawn, Object.values(designed.design))
  const squares = data.squares === undefined ? undefined : chosenRows(data.squares, structure).values
  const how = designed === undefined ? squares !== undefined && { squares } : { design: designed.design }
  return {
    tensor,
    left: data.tensor.total - drawn.total,
    renamed: designed !== undefined && designed.tensor !== drawn,
    fitWith: (options, errors, level) => {
      const wanted = errors && {
        options: { ...errors, ...how },
        ...(designed !== undefined && { data: designed.tensor }),
      }
      return structuredFit(tensor, structure, options, wanted, level)
    },
  }
}

/** The rows that are fitted. */
const chosenRows = (tensor: Tensor, { complete = false }: Structure): Tensor =>
  complete ? completeCells(tensor) : tensor

/** A design by the names of the tensor's modes, which may be written otherwise than asked for, and the data for it. */
const designOf = (tensor: Tensor, asked: SurveyDesign): { design: SurveyDesign; tensor: Tensor } => {
  const named = (name: string) => findColumn(tensor.modes, name)?.name ?? name
  const { cluster, stratum } = asked
  const design = { cluster: named(cluster), ...(stratum !== undefined && { stratum: named(stratum) }) }
  return { design, tensor: prepareDesign(tensor, design) }
}

/** A fit of the structure that was asked for, and its statistics. */
const structuredFit = async (
  tensor: Tensor,
  structure: Structure,
  options: FitOptions,
  wanted?: WantedErrors,
  level?: number,
): Promise<StructuredFit> => {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const named = (name: string) => findColumn(tensor.modes, name)?.name ?? name
  const { covariates, categories, reference, groups, constraints, join } = structure
  if (covariates !== undefined) {
    const found = await fitCovariates(tensor, {
      ...options,
      covariates: covariates.map(text =>
        tensor.modes.some(({ name }) => name === text)
          ? text
          : text
              .split('*')
              .map(name => named(name.trim()))
              .join('*'),
      ),
      ...(categories !== undefined && { categories: categories.map(named) }),
      ...(reference !== undefined && { reference }),
      ...(level !== undefined && { level }),
    })
    return {
      tensor: found.items,
      result: found,
      evaluation: found.evaluation,
      seconds: seconds(),
      sections: { covariates: covariateFigures(found.covariates) },
      explained: found.covariates,
      errors: wanted === undefined ? undefined : found.standardErrors,
    }
  }
  if (groups !== undefined) {
    const found = await fitGroups(tensor, { ...options, groups: named(groups) })
    const known = await statisticsOf(found.tensor, found.result.model, wanted)
    return { ...found, ...known, seconds: seconds(), sections: { groups: comparisonFigures(found.comparison) } }
  }
  if (join !== undefined) {
    const found = await fitJoined(tensor, { ...options, join: join.map(names => names.map(named)) })
    const known = await statisticsOf(found.tensor, found.result.model, wanted)
    return { ...found, ...known, seconds: seconds(), sections: { join: comparisonFigures(found.comparison) } }
  }
  const { threads, ...rest } = options
  const session = await wasmEngine(threads === undefined ? {} : { threads }).open(tensor)
  try {
    return await plainFit(session, constraints, rest, wanted)
  } finally {
    await session.close()
  }
}

const plainFit = async (
  session: Session,
  constraints: Structure['constraints'],
  options: FitOptions,
  wanted: WantedErrors | undefined,
): Promise<StructuredFit> => {
  const began = performance.now()
  const known = constraints === undefined ? {} : { constraints }
  const result = await fit(session, { ...options, ...known })
  if (result.failure !== undefined) throw result.failure
  const seconds = (performance.now() - began) / 1000
  const statistics = await statisticsOf(session, result.model, wanted, known)
  return { tensor: session.data, result, ...statistics, seconds, sections: known }
}

const statisticsOf = async (
  data: Tensor | Session,
  model: Model,
  wanted: WantedErrors | undefined,
  options: EvaluateOptions = {},
) => ({
  evaluation: await evaluate(data, model, options),
  errors: wanted === undefined ? undefined : await standardErrors(wanted.data ?? data, model, wanted.options),
})
