import {
  type Constraints,
  type Counts,
  type CovariateFit,
  type EngineError,
  type ExplainedFit,
  type FitOptions,
  type FitResult,
  fit,
  fitStructured,
  OptionError,
  type Session,
  type SplitPart,
  type StandardErrors,
  type Tensor,
} from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { hasCells } from '@polyad/core/model'
import { mention, words } from '@polyad/core/options'
import { salvaged } from '@polyad/core/stats'
import { covariateFigures } from '../report/covariates-text.ts'
import { comparisonFigures } from '../report/nested-text.ts'
import type { Sections } from '../report/structure-text.ts'
import { findColumn } from '../table/columns/columns.ts'
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
  /** The whole fit, if there is a logit of membership. */
  readonly structured?: ExplainedFit
  /** The modes of the model that are parts of a variable. */
  readonly parts?: readonly SplitPart[]
  /** The constraints on the modes of the model. */
  readonly constraints?: Constraints
  /** What the fit itself has computed of its statistics. */
  readonly known?: { readonly evaluation: CovariateFit['evaluation']; readonly errors: StandardErrors }
}

/** Fits the model that is asked for, and passes on where its data lies: statistics use the same session. */
export const fitStructure = async <T>(
  { tensor, session, sample }: Prepared,
  { rank, fit: given = {}, structure = {}, confidence, errors }: AnalysisRequest,
  { engine, ...running }: Pick<FitOptions, 'signal' | 'onProgress' | 'engine' | 'checkpoint'>,
  then: (fitted: Fitted, data: Tensor | Session) => Promise<T>,
): Promise<T> => {
  const options = { rank, ...given, ...running }
  const { constraints, complete: _, ...rest } = structure
  const kind = (['covariates', 'groups', 'join', 'known', 'free', 'direct'] as const).find(
    name => rest[name] !== undefined,
  )
  if (kind === undefined) {
    const known = constraints === undefined ? {} : { constraints }
    return withSession(tensor, session, { ...options, ...(engine && { engine }) }, async (place, other) => {
      const { found: result, failure } = await salvaged(fit(place, { ...other, ...known }))
      return then({ tensor: place.data, result, failure, sections: known, ...known }, place)
    })
  }
  if (!hasCells(tensor)) throw new OptionError(kind, 'needs the cells in memory')
  const found = await fitStructured(sample.data ?? tensor, {
    ...options,
    ...sample.options,
    ...(errors?.kind !== undefined && { kind: errors.kind }),
    ...inColumns(tensor, rest),
    ...(confidence !== undefined && { confidence }),
    ...(constraints !== undefined && { constraints }),
  })
  const { explained, groups, join, direct } = found
  const effects = explained?.covariates
  const sections = {
    ...(effects !== undefined && effects.names.length > 0 && { covariates: covariateFigures(effects) }),
    ...(groups !== undefined && { groups: comparisonFigures(groups) }),
    ...(direct !== undefined && { direct: comparisonFigures(direct) }),
    ...(join !== undefined && { join: comparisonFigures(join) }),
    ...(explained?.known !== undefined && { known: explained.known }),
    ...(explained !== undefined && explained.parts.length > 0 && { parts: explained.parts }),
    ...(constraints !== undefined && { constraints }),
  }
  return then(
    {
      ...{ tensor: found.tensor, result: found.result, sections },
      ...(found.constraints !== undefined && { constraints: found.constraints }),
      ...(explained !== undefined && {
        ...{ explained: explained.covariates, structured: explained, parts: explained.parts },
        known: { evaluation: explained.evaluation, errors: explained.standardErrors },
      }),
    },
    found.tensor,
  )
}

/** The names of all columns as the data has them. */
const inColumns = (tensor: Tensor, structure: Omit<Structure, 'constraints' | 'complete'>) => {
  const { covariates, categories, referenceCategories, per, groups, free, direct, known, join, ...rest } = structure
  const named = (name: string) => columnOf(tensor, name)
  const all = {
    ...rest,
    covariates: covariates?.map(text => covariateOf(tensor, text)),
    categories: categories?.map(named),
    referenceCategories: referenceCategories && byColumn(tensor, referenceCategories),
    per: per && byColumn(tensor, per),
    groups: groups && named(groups),
    free: free?.map(each => ({ ...each, mode: named(each.mode) })),
    direct: direct?.map(each => ({ ...each, mode: named(each.mode), covariate: named(each.covariate) })),
    known: known && named(known),
    join: join?.map(names => names.map(named)),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as typeof rest & {
    readonly [K in keyof typeof all]?: NonNullable<(typeof all)[K]>
  }
}

/** What is given by columns, by their names as the data has them. */
const byColumn = <T>(tensor: Tensor, given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [columnOf(tensor, name), value]))

/** `age*party` by the names of columns; a column may itself have a star in its name. */
const covariateOf = (tensor: Tensor, text: string): string => {
  const whole = findColumn(tensor.modes, text.trim())
  if (whole !== undefined) return whole.name
  const names = text.split('*').map(name => name.trim())
  if (names.includes(''))
    throw new OptionError(
      words`${mention('covariates')}: a name is missing beside * in ${JSON.stringify(text)}, and no column has that name; write it as in "age*party"`,
    )
  return names.map(name => columnOf(tensor, name)).join('*')
}

/** A given session, which has its own threads and stays open; else one of the engine, by default the processor's, for as long as it is used. */
const withSession = async <T>(
  tensor: Counts,
  given: Session | undefined,
  { threads, engine, ...options }: FitOptions,
  use: (session: Session, options: FitOptions) => Promise<T>,
): Promise<T> => {
  if (given !== undefined) return use(given, options)
  const own = engine ?? wasmEngine(threads === undefined ? {} : { threads })
  const session = await own.open(tensor as Tensor, options.signal)
  try {
    return await use(session, options)
  } finally {
    await session.close()
  }
}
