import {
  type Constraints,
  type Counts,
  type CovariateEffects,
  type EngineError,
  type Evaluation,
  type FitOptions,
  type FitResult,
  fit,
  fitStructured,
  MISSING,
  OptionError,
  type Session,
  type SplitPart,
  type StandardErrors,
  type StructuredResult,
  type Tensor,
} from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { hasCells, rowsOfCells } from '@polyad/core/model'
import { defined, excludedBy, omit } from '@polyad/core/options'
import { type LinkedData, type ModelData, salvaged } from '@polyad/core/stats'
import { covariateFigures } from '../report/figures/covariate-figures.ts'
import { linkedFigures } from '../report/figures/linked-figures.ts'
import { comparisonFigures } from '../report/text/nested-text.ts'
import type { Sections } from '../report/text/structure-text.ts'
import { inColumns, namedItems } from './named-columns.ts'
import type { Prepared } from './prepare.ts'
import type { AnalysisRequest, Structure } from './request.ts'

/** What every kind of model has in common once it is fitted. */
export interface Fitted {
  /** The data as it was fitted: its modes are the model's. */
  readonly tensor: Counts
  readonly result: FitResult
  readonly sections: Sections & Pick<Structure, 'constraints'>
  /** What the engine failed with, if that ended the fit: the model is the best until then. */
  readonly failure?: EngineError | undefined
  /** The logit of membership, if there is one. */
  readonly effects?: CovariateEffects
  /** The rows in the form of the model, if it has more than class sizes and probabilities. */
  readonly data?: ModelData
  /** The rows as persons or groups, if they belong together. */
  readonly linked?: LinkedData
  /** The modes of the model that are parts of a variable. */
  readonly parts?: readonly SplitPart[]
  /** The constraints on the modes of the model. */
  readonly constraints?: Constraints
  /** What the fit itself has computed of its statistics. */
  readonly statistics?: { readonly evaluation: Evaluation; readonly errors: StandardErrors | undefined }
}

/** Fits the model that is asked for, and passes on where its data lies: statistics use the same session. */
export const fitStructure = async <T>(
  { tensor, session, sample, rowWeights, unusable, partial }: Prepared,
  { rank, fit: given = {}, structure = {}, confidence, errors }: AnalysisRequest,
  { engine, ...running }: Pick<FitOptions, 'signal' | 'onProgress' | 'engine' | 'checkpoint'>,
  then: (fitted: Fitted, data: Tensor | Session) => Promise<T>,
): Promise<T> => {
  const options = { rank, ...given, ...running }
  const { constraints, ...rest } = omit(structure, 'complete')
  const kind = excludedBy('database', rest)?.name
  if (kind === undefined) {
    const known = constraints === undefined ? {} : { constraints }
    return withSession(tensor, session, { ...options, ...(engine && { engine }) }, async (place, other) => {
      const { found: result, failure } = await salvaged(
        fit(place, { ...other, ...known, ...namedItems(tensor, rest.items) }),
      )
      return then({ tensor: place.data, result, failure, sections: known, ...known }, place)
    })
  }
  if (!hasCells(tensor)) throw new OptionError(kind, 'needs the cells in memory')
  const found = await fitStructured(sample.data ?? tensor, {
    ...options,
    ...sample.options,
    ...(errors?.kind !== undefined && { kind: errors.kind }),
    ...inColumns(tensor, rest),
    ...defined({ confidence, constraints }),
  })
  const { structured, groups, join, direct, linked } = found
  if (linked !== undefined) {
    const { evaluation, standardErrors, data } = linked
    return then(
      {
        tensor: found.tensor,
        result: linked,
        sections: linkedFigures(linked, unusable),
        linked: data,
        statistics: { evaluation, errors: standardErrors },
      },
      found.tensor,
    )
  }
  const effects = structured?.covariates
  const sections = {
    ...(effects !== undefined &&
      effects.names.length > 0 && {
        covariates: { ...covariateFigures(effects), dropped: unusable },
      }),
    ...(groups !== undefined && { groups: { ...comparisonFigures(groups), dropped: unusable } }),
    ...(direct !== undefined && { direct: comparisonFigures(direct) }),
    ...(join !== undefined && { join: { ...comparisonFigures(join), partial } }),
    ...(structured?.known !== undefined && {
      known: { ...structured.known, totals: knownRows(tensor, rowWeights, structured.known) },
    }),
    ...(structured !== undefined && structured.parts.length > 0 && { parts: structured.parts }),
    ...defined({ constraints }),
  }
  return then(
    {
      tensor: found.tensor,
      result: found.result,
      sections,
      ...defined({ constraints: found.constraints }),
      ...(structured !== undefined && {
        effects: structured.covariates,
        data: structured.data,
        parts: structured.parts,
        statistics: { evaluation: structured.evaluation, errors: structured.standardErrors },
      }),
    },
    found.tensor,
  )
}

/** How many rows are known to be in each class, whatever they weigh. */
const knownRows = (
  tensor: Tensor,
  rowWeights: Prepared['rowWeights'],
  { name, labels, totals }: NonNullable<StructuredResult['known']>,
): readonly number[] => {
  const n = tensor.modes.findIndex(mode => mode.name === name)
  const rows = rowsOfCells(tensor, rowWeights)
  const sums = new Float64Array(tensor.shape[n])
  tensor.indices[n].forEach((j, cell) => {
    if (j !== MISSING) sums[j] += rows[cell]
  })
  return totals.map((total, k) => (total > 0 ? sums[tensor.modes[n].indexOf(labels[k]) as number] : 0))
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
