import { DataError } from '@polyad/core'
import { type Binning, DATE_PARTS } from './bins.ts'
import { DATE_FORMATS } from './dates.ts'

/** How a mode comes out of a table: kept with a model, so that new data is read in the same way. */
export interface ModeRecipe {
  readonly column: string
  readonly binning?: Binning
  readonly missingAs?: string
  /** The label that stands for all labels not kept. */
  readonly other?: string
}

export interface Recipe {
  readonly modes: readonly ModeRecipe[]
  /** Everything that means missing. */
  readonly missing: readonly string[]
  /** Whether blanks around labels were taken off. */
  readonly trim?: boolean
  /** Whether labels that differ only by case were joined. */
  readonly ignoreCase?: boolean
}

/** What means missing unless told otherwise, beside NULL and NaN. */
export const MISSING_TEXTS: readonly string[] = ['', 'NA', 'NULL', 'NaN']

/**
 * The recipe in a model's record, for modes of these names; where there is none, every mode is a column of its name.
 * What goes into SQL later is checked here to be what it says: a model file may come from anyone.
 */
export const checkRecipe = (recipe: unknown, names: readonly string[]): Recipe => {
  if (recipe === undefined) return { modes: names.map(column => ({ column })), missing: MISSING_TEXTS }
  const { modes, missing, trim, ignoreCase } = (recipe ?? {}) as Record<string, unknown>
  const texts = Array.isArray(missing) && missing.every(text => typeof text === 'string')
  if (!Array.isArray(modes) || modes.length !== names.length || !texts) refuse('its recipe does not fit its modes')
  return {
    modes: (modes as unknown[]).map(modeRecipe),
    missing: missing as string[],
    ...(trim === true ? { trim } : {}),
    ...(ignoreCase === true ? { ignoreCase } : {}),
  }
}

const modeRecipe = (entry: unknown): ModeRecipe => {
  const { column, binning, missingAs, other } = (entry ?? {}) as Record<string, unknown>
  if (typeof column !== 'string') return refuse('a mode of its recipe has no column')
  for (const text of [missingAs, other])
    if (text !== undefined && typeof text !== 'string') refuse('its recipe is broken')
  return {
    column,
    ...(binning === undefined ? {} : { binning: binningOf(binning) }),
    ...(missingAs === undefined ? {} : { missingAs: missingAs as string }),
    ...(other === undefined ? {} : { other: other as string }),
  }
}

const binningOf = (value: unknown): Binning => {
  const { kind, width, edges, part, format } = (value ?? {}) as Record<string, unknown>
  const finite = (number: unknown): number =>
    typeof number === 'number' && Number.isFinite(number) ? number : refuse('a bin of its recipe is not a number')
  if (kind === 'int') return { kind }
  if (kind === 'width' && finite(width) > 0) return { kind, width: finite(width) }
  if (kind === 'quantiles' && Array.isArray(edges)) return { kind, edges: edges.map(finite) }
  const known = DATE_PARTS.find(name => name === part)
  const written = DATE_FORMATS.find(name => name === format)
  if (kind === 'date' && known !== undefined && (format === undefined || written !== undefined))
    return { kind, part: known, ...(written === undefined ? {} : { format: written }) }
  return refuse('a binning of its recipe is not known')
}

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable model file: ${reason}`)
}
