import type {
  BootstrapOptions,
  Checkpoint,
  Counts,
  FitOptions,
  Item,
  Progress,
  RankedFit,
  ReplicateProgress,
  Session,
  StandardErrorOptions,
  StructuredFitOptions,
  SurveyDesign,
  Tensor,
} from '@polyad/core'
import type { Engine } from '@polyad/core/engine'
import type { RowWeights } from '@polyad/core/model'
import { DECIDING_STRUCTURES, type Naming } from '@polyad/core/options'
import type { ReplicateErrorOptions } from '@polyad/core/stats'
import type { FitFigures } from '../report/figures/fit-figures.ts'
import type { ReadReplicates } from '../table/reading/replicate-weights.ts'

/** What a variable is taken for, by its column or by a pattern with stars. */
export interface NamedItem {
  readonly column: string
  readonly item: Item
}

/** What a model has besides its classes. Columns are named, in any case. */
export interface Structure
  extends Pick<StructuredFitOptions, 'covariates' | 'categories' | 'reference' | 'standardize'>,
    Pick<StructuredFitOptions, 'person' | 'time' | 'waves' | 'transitions' | 'within' | 'groupClasses'>,
    Pick<StructuredFitOptions, 'transitionCovariates' | 'groupCovariates' | 'stayers'>,
    Pick<FitOptions, 'constraints'> {
  /** The reference category of a covariate, by its column. */
  readonly referenceCategories?: StructuredFitOptions['referenceCategories']
  /** The unit in which effects of a covariate are shown, by its column. */
  readonly per?: StructuredFitOptions['per']
  /** What variables are taken for; those not named are categories. */
  readonly items?: readonly NamedItem[]
  /** A column of known groups. */
  readonly groups?: string
  /** Variables whose probabilities may differ between the groups, or between waves. */
  readonly free?: StructuredFitOptions['free']
  /** Effects of covariates on variables. */
  readonly direct?: StructuredFitOptions['direct']
  /** A column that says of some rows which class they are of. */
  readonly known?: string
  /** Columns that may depend on each other within a class: one variable of their combinations. */
  readonly join?: readonly (readonly string[])[]
  /** Leave out rows in which anything is missing. */
  readonly complete?: boolean
}

/** Whether something explains the classes of rows, so that each has its own chances of them. */
export const isExplained = (structure: Structure): boolean =>
  DECIDING_STRUCTURES.some(name => structure[name as keyof Structure] !== undefined)

/** One analysis: a fit, and the statistics that are wanted of it. */
export interface AnalysisRequest {
  readonly rank: number
  readonly fit?: Omit<FitOptions, 'rank' | 'signal' | 'onProgress' | 'engine'>
  readonly structure?: Structure
  /** The columns by which the sample was drawn. */
  readonly design?: SurveyDesign | undefined
  /** The standard errors that are wanted, if any. */
  readonly errors?: StandardErrorOptions | undefined
  /** How replicate weights were made, if the data has some: errors are then by them. */
  readonly replicates?: Pick<ReplicateErrorOptions, 'kind' | 'fay' | 'scales'> | undefined
  /** The confidence of intervals of odds ratios. */
  readonly confidence?: number | undefined
  readonly bootstrap?: Pick<BootstrapOptions, 'replicates' | 'kind'> | undefined
  /** How many of the cells that deviate most are wanted, with the residuals of all pairs. */
  readonly residuals?: number | undefined
}

/** Data to analyze: cells in memory, or a session of an engine that has them elsewhere. */
export interface AnalysisSource {
  readonly tensor: Counts
  readonly session?: Session | undefined
  /** The same cells with the sums of the squares of their sampling weights. */
  readonly squares?: Tensor | undefined
  /** The rows of every cell by their sampling weights. */
  readonly rowWeights?: RowWeights | undefined
  /** What the weights sum to as they are in the data. */
  readonly population?: number | undefined
  /** The values of all cells by replicate weights. */
  readonly replicates?: ReadReplicates | undefined
  /** The design of the request as the reader gives it back, which also counts clusters without cells. */
  readonly design?: SurveyDesign | undefined
}

/** What an analysis tells while it goes on. */
export interface AnalysisHooks {
  /** How options are named in advice and warnings. */
  readonly naming?: Naming
  readonly signal?: AbortSignal
  /** What makes the passes of data in memory. Default: the processor. */
  readonly engine?: Engine | undefined
  /** Where the state of the work is kept from time to time. */
  readonly checkpoint?: Checkpoint | undefined
  readonly onProgress?: (progress: Progress) => void
  readonly onReplicate?: (progress: ReplicateProgress) => void
  /** Called with the figures of every number of classes as soon as they are known, and again if more is known. */
  readonly onRank?: (figures: FitFigures, fit: RankedFit, items: Counts) => void
}
