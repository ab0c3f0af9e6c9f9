import { type Counts, type Item, OptionError, type Tensor } from '@polyad/core'
import { type FitPlan, planFit } from '@polyad/core/engine'
import { countParameters, joinedData } from '@polyad/core/stats'
import { labelsIn } from '../table/values/codebook.ts'
import type { Recipe } from '../table/view/recipe.ts'
import { inColumns, namedItems } from './named-columns.ts'
import type { Prepared } from './prepare.ts'
import { type AnalysisRequest, isExplained, type Structure } from './request.ts'

/** A variable of an analysis, or a column that decides about classes. */
export interface PlannedVariable {
  readonly name: string
  readonly label?: string
  readonly role: 'variable' | 'covariate' | 'groups' | 'known classes' | 'person' | 'time' | 'within'
  /** What it is taken for. */
  readonly kind: 'categorical' | Item['kind'] | 'multivariate-normal'
  /** How many different values it has, and whether some are missing. */
  readonly categories: number
  readonly missing: boolean
}

/** What an analysis is going to do. */
export interface AnalysisPlan {
  readonly variables: readonly PlannedVariable[]
  /** Distinct combinations of values, and the observations that have them. */
  readonly cells: number
  readonly total: number
  /** Where the passes are made, and where the cells are. */
  readonly engine: string
  readonly cellsIn: 'memory' | 'elsewhere'
  /** The models to be fitted. Passes and seconds are limits, undefined if there is none, or if it is known only while the search goes on. */
  readonly fits: readonly (FitPlan & {
    readonly parameters: number | undefined
    readonly seconds: number | undefined
  })[]
  /** About how long all of them take at most, on this many threads. */
  readonly seconds: number | undefined
  readonly threads: number
  /** Replicates of the bootstrap, at most. */
  readonly replicates: number | undefined
}

/** An analysis, or one with several numbers of classes. */
export interface PlanRequest extends Omit<AnalysisRequest, 'rank'> {
  readonly rank: number | readonly number[] | { readonly from: number; readonly to: number }
  readonly threads?: number
  readonly engine?: string
  readonly recipe?: Pick<Recipe, 'labels'>
}

const ROLES = {
  groups: 'groups',
  known: 'known classes',
  person: 'person',
  time: 'time',
  within: 'within',
} as const satisfies Partial<Record<keyof Structure, PlannedVariable['role']>>

/** What each column is that is no variable, by its name. */
const rolesOf = (structure: Structure): ReadonlyMap<string, PlannedVariable['role']> =>
  new Map([
    // `age*party` is of two columns.
    ...(structure.covariates ?? []).flatMap(term =>
      [term, ...term.split('*')].map(name => [name.trim().toLowerCase(), 'covariate'] as const),
    ),
    ...Object.entries(ROLES).flatMap(([key, role]) => {
      const name = structure[key as keyof typeof ROLES]
      return name === undefined ? [] : [[name.toLowerCase(), role] as const]
    }),
  ])

/** Of a range of numbers of classes, those beyond the number of cells are not fitted. */
const ranksOf = (rank: PlanRequest['rank'], { cells }: Counts): readonly number[] => {
  if (typeof rank === 'number') return [rank]
  return 'from' in rank ? Array.from({ length: Math.max(1, Math.min(rank.to, cells) - rank.from + 1) }, (_, i) => rank.from + i) : rank // biome-ignore format: one line
}

/**
 * What `analyze` or `compareRanks` would do with this data: the same checks are made, and nothing is fitted.
 * @example
 * const planned = plan({ tensor: answers, session: undefined }, { rank: [1, 2] })
 * planned.variables[0].kind // 'categorical'
 * planned.fits[1].parameters // 11
 */
export const plan = (
  { tensor: given, session }: Pick<Prepared, 'tensor' | 'session'>,
  { rank, fit = {}, structure = {}, bootstrap, threads = 1, engine = 'wasm', recipe }: PlanRequest,
): AnalysisPlan => {
  const roles = rolesOf(structure)
  const labels = labelsIn(recipe?.labels)
  const { items: apart = {} } = namedItems(given, structure.items)
  const { join } = inColumns(given, structure)
  const { joined: tensor, items = {} } =
    join === undefined || session !== undefined
      ? { joined: given, items: apart }
      : joinedData(given as Tensor, { join, items: apart })
  const variables = tensor.modes.map(({ name, size }, n): PlannedVariable => {
    const [title, kind] = [labels.title(name), items[name]?.kind ?? 'categorical']
    return {
      name,
      ...(title !== undefined && { label: title }),
      role: roles.get(name.toLowerCase()) ?? 'variable',
      kind,
      categories: size,
      missing: tensor.missing[n],
    }
  })
  const shown = variables.flatMap(({ role }, n) => (role === 'variable' ? [n] : []))
  if (shown.length === 0) throw new OptionError('no variable is left: all columns have other roles')
  const explained = isExplained(structure)
  const plain = Object.keys(items).length === 0 && join === undefined && !explained
  const observed: Counts = {
    ...tensor,
    modes: shown.map(n => tensor.modes[n]),
    shape: shown.map(n => tensor.shape[n]),
    marginals: shown.map(n => tensor.marginals[n]),
    missing: shown.map(n => tensor.missing[n]),
  }
  const fits = ranksOf(rank, tensor).map(each => {
    const planned = planFit(observed, { ...fit, rank: each, ...(plain ? {} : { items }) })
    // Passes over rows that are linked or have covariates are limited otherwise.
    const passes = explained ? undefined : planned.passes
    return {
      ...planned,
      passes,
      parameters: plain ? countParameters(observed.shape, each) : undefined,
      seconds: passes === undefined ? undefined : (passes * planned.secondsPerPass) / threads,
    }
  })
  return {
    variables,
    cells: tensor.cells,
    total: tensor.total,
    engine,
    cellsIn: session === undefined ? 'memory' : 'elsewhere',
    fits,
    seconds: fits.reduce<number | undefined>(
      (sum, { seconds }) => (sum === undefined || seconds === undefined ? undefined : sum + seconds),
      0,
    ),
    threads,
    replicates: bootstrap?.replicates,
  }
}
