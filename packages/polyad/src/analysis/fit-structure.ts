import {
  type Counts,
  type CovariateFit,
  type EngineError,
  type FitOptions,
  type FitResult,
  fit,
  fitCovariates,
  fitGroups,
  fitJoined,
  OptionError,
  type Session,
  type StandardErrors,
  type Tensor,
} from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { hasCells } from '@polyad/core/model'
import { salvaged } from '@polyad/core/stats'
import { covariateFigures } from '../report/covariates-text.ts'
import { comparisonFigures } from '../report/nested-text.ts'
import type { Sections } from '../report/structure-text.ts'
import { columnOf, type Prepared } from './prepare.ts'
import type { AnalysisRequest, Structure } from './request.ts'

/** What every kind of model has in common once it is fitted. */
export interface Fitted {
  /** The data as it was fitted: its modes are the model's. */
  readonly tensor: Counts
  readonly result: Omit<FitResult, 'divergence' | 'logProbability'>
  readonly sections: Sections & Pick<Structure, 'constraints'>
  /** What the engine failed with, if that ended the fit: the model is the best until then. */
  readonly failure?: EngineError | undefined
  /** The logit of membership, if there is one. */
  readonly explained?: CovariateFit['covariates']
  /** What the fit itself has computed of its statistics. */
  readonly known?: { readonly evaluation: CovariateFit['evaluation']; readonly errors: StandardErrors }
}

/** Fits the model that is asked for, and passes on where its data lies: statistics use the same session. */
export const fitStructure = async <T>(
  { tensor, session, sample }: Prepared,
  { rank, fit: given = {}, structure = {}, confidence, errors }: AnalysisRequest,
  running: Pick<FitOptions, 'signal' | 'onProgress'>,
  then: (fitted: Fitted, data: Tensor | Session) => Promise<T>,
): Promise<T> => {
  const options = { rank, ...given, ...running }
  const { covariates, categories, referenceCategories, per, standardize, reference, groups, constraints, join } =
    structure
  const kind = Object.entries({ covariates, groups, join }).find(([, value]) => value !== undefined)?.[0]
  if (kind === undefined) {
    const known = constraints === undefined ? {} : { constraints }
    return withSession(tensor, session, options, async (place, rest) => {
      const { found: result, failure } = await salvaged(fit(place, { ...rest, ...known }))
      return then({ tensor: place.data, result, failure, sections: known }, place)
    })
  }
  if (!hasCells(tensor)) throw new OptionError(kind, 'needs the cells in memory')
  if (covariates !== undefined) {
    const found = await fitCovariates(sample.data ?? tensor, {
      ...options,
      ...sample.options,
      ...(errors?.kind !== undefined && { kind: errors.kind }),
      covariates: covariates.map(text => covariateOf(tensor, text)),
      ...(categories !== undefined && { categories: categories.map(name => columnOf(tensor, name)) }),
      ...(referenceCategories !== undefined && { referenceCategories: byColumn(tensor, referenceCategories) }),
      ...(per !== undefined && { per: byColumn(tensor, per) }),
      ...(standardize !== undefined && { standardize }),
      ...(reference !== undefined && { reference }),
      ...(confidence !== undefined && { confidence }),
      ...(constraints !== undefined && { constraints }),
    })
    const sections = {
      covariates: covariateFigures(found.covariates),
      ...(constraints !== undefined && { constraints }),
    }
    const known = { evaluation: found.evaluation, errors: found.standardErrors }
    return then({ tensor: found.items, result: found, sections, explained: found.covariates, known }, found.items)
  }
  if (groups !== undefined) {
    const found = await fitGroups(tensor, { ...options, groups: columnOf(tensor, groups) })
    return then({ ...found, sections: { groups: comparisonFigures(found.comparison) } }, found.tensor)
  }
  const columns = (join ?? []).map(names => names.map(name => columnOf(tensor, name)))
  const found = await fitJoined(tensor, { ...options, join: columns })
  return then({ ...found, sections: { join: comparisonFigures(found.comparison) } }, found.tensor)
}

/** What is given by columns, by their names as the data has them. */
const byColumn = <T>(tensor: Tensor, given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [columnOf(tensor, name), value]))

/** `age*party` by the names of columns; a column may itself have a star in its name. */
const covariateOf = (tensor: Tensor, text: string): string =>
  tensor.modes.some(({ name }) => name === text)
    ? text
    : text
        .split('*')
        .map(name => columnOf(tensor, name.trim()))
        .join('*')

/** A given session, which has its own threads and stays open; else one of the fastest engine, for as long as it is used. */
const withSession = async <T>(
  tensor: Counts,
  given: Session | undefined,
  { threads, ...options }: FitOptions,
  use: (session: Session, options: FitOptions) => Promise<T>,
): Promise<T> => {
  if (given !== undefined) return use(given, options)
  const session = await wasmEngine(threads === undefined ? {} : { threads }).open(tensor as Tensor)
  try {
    return await use(session, options)
  } finally {
    await session.close()
  }
}
