import { OptionError, type Tensor } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { type Binning, type BinRequest, numberSql, parseBin } from './bins.ts'
import { type Column, columnNamed, countColumn, type Inspection, inspect, reasonAgainst } from './columns.ts'
import { countCells, type ModeSource, tensorOfCells } from './count-cells.ts'
import { explained } from './faults.ts'
import { OTHER } from './labels.ts'
import { cleaned, MISSING_TEXTS, openRelation, type Relation, type RelationOptions } from './relation.ts'
import { listed } from './shell-text.ts'

export interface TableOptions extends RelationOptions {
  /** The columns that become modes. Default: those that look categorical. */
  readonly modes?: readonly string[]
  /** Columns to take beside those chosen, whatever they look like. */
  readonly include?: readonly string[]
  /** Columns to leave out of the default. */
  readonly except?: readonly string[]
  /** The column that says how often a row was seen; 'none' where every row counts once. */
  readonly count?: string
  /** How to cut columns of numbers and dates: `petal_length:0.1`, `age:q5`, `score:int`, `time:hour`. */
  readonly bins?: readonly string[]
  /** Keeps so many of the most frequent labels of every mode, and merges the rest into one. */
  readonly top?: number
  /** Makes missing values a label of this name, in place of missing. */
  readonly missingAs?: string
}

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
  readonly missing: readonly string[]
}

/** Something the reader should know: what was chosen and why, or what to be careful of. */
export interface Note {
  readonly kind: 'choice' | 'warning'
  readonly text: string
}

export interface ReadResult {
  readonly tensor: Tensor
  /** Rows (or cells, where the data comes as cells) that were read. */
  readonly rows: number
  /** Rows left out because every mode was missing in them. */
  readonly dropped: number
  readonly notes: readonly Note[]
  readonly recipe: Recipe
  /** The files and choices, for the record. */
  readonly source: Readonly<Record<string, unknown>>
}

/** So many labels in one mode are more often a mistake than a wish. */
const MANY_LABELS = 50_000

/** A table to a tensor: chooses the modes, counts in the engine and closes it, says what it did. */
export const readTable = async (
  tables: Tables,
  paths: readonly string[],
  options: TableOptions,
): Promise<ReadResult> => {
  const missing = options.missing ?? MISSING_TEXTS
  const relation = await openRelation(tables, paths, options)
  return explained(relation, async () => {
    const seen = await inspect(tables, relation, missing)
    const notes: Note[] = []
    const count = await chooseCount(tables, relation, seen, options, notes)
    const bins = new Map(
      (options.bins ?? [])
        .map(parseBin)
        .map(({ column, request }) => [columnNamed(seen, column, ' to bin', relation).name, request]),
    )
    const chosen = chooseModes(seen, relation, options, count, bins, notes)
    const modes: ModeSource[] = []
    for (const { name, type } of chosen) {
      const value = cleaned(name, type, relation, missing)
      const binning = await settleBinning(tables, relation, value, bins.get(name))
      modes.push({ column: name, value, binning, missingAs: options.missingAs, top: options.top })
    }
    const counted = await countCells(tables, relation, modes, count)
    // The engine has done its part; what it holds is better used for the tensor.
    await tables.close()
    const { rows, dropped } = counted
    const { tensor, merged } = tensorOfCells(counted, modes)
    if (dropped > 0)
      notes.push({
        kind: 'warning',
        text: `${many(dropped, 'row')} left out: every mode is missing in ${dropped === 1 ? 'it' : 'them'}`,
      })
    tensor.modes.forEach(({ name, size }, n) => {
      if (merged[n] > 0)
        notes.push({ kind: 'choice', text: `${name}: ${many(merged[n], 'rare label')} merged into ${OTHER}` })
      if (size >= MANY_LABELS)
        notes.push({
          kind: 'warning',
          text: `${name} has ${many(size, 'label')}: an identifier? Leave it out, or keep the most frequent with --top 1000`,
        })
    })
    const recipe: Recipe = {
      modes: modes.map(({ column, binning, missingAs }, n) => ({
        column,
        ...(binning === undefined ? {} : { binning }),
        ...(missingAs === undefined ? {} : { missingAs }),
        ...(merged[n] > 0 ? { other: OTHER } : {}),
      })),
      missing,
    }
    const files = relation.parts.map(({ path }) => path)
    const source = {
      files,
      ...(options.sql === undefined ? {} : { sql: options.sql }),
      ...(count === undefined ? {} : { count }),
      rows,
    }
    return { tensor, rows, dropped, notes, recipe, source }
  })
}

const many = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

const chooseCount = async (
  tables: Tables,
  relation: Relation,
  seen: Inspection,
  options: TableOptions,
  notes: Note[],
): Promise<string | undefined> => {
  if (options.count === 'none') return undefined
  if (options.count !== undefined) return columnNamed(seen, options.count, ' for --count', relation).name
  if (options.modes !== undefined) return undefined
  const found = await countColumn(tables, relation, seen)
  if (found === undefined) return undefined
  notes.push({
    kind: 'choice',
    text: `counting by column ${found.name}, since no combination occurs twice (--count none: every row once)`,
  })
  return found.name
}

const chooseModes = (
  seen: Inspection,
  relation: Relation,
  { modes, except = [], include = [] }: TableOptions,
  count: string | undefined,
  bins: ReadonlyMap<string, BinRequest>,
  notes: Note[],
): readonly Column[] => {
  const excluded = except.map(name => columnNamed(seen, name, ' to leave out', relation).name)
  if (modes !== undefined) {
    const named = [...new Set([...modes, ...bins.keys(), ...include])].map(name =>
      columnNamed(seen, name, '', relation),
    )
    const nested = named.find(({ kind }) => kind === 'nested')
    if (nested !== undefined)
      throw new OptionError(`column ${JSON.stringify(nested.name)} holds lists or records and cannot be a mode`)
    if (named.some(({ name }) => name === count))
      throw new OptionError(`column ${JSON.stringify(count)} cannot be both a mode and the count`)
    return named.filter(({ name }) => !excluded.includes(name))
  }
  const wanted = include.map(name => columnNamed(seen, name, '', relation).name)
  const chosen: Column[] = []
  const against: string[] = []
  for (const column of seen.columns) {
    if (column.name === count || excluded.includes(column.name)) continue
    const reason = bins.has(column.name) || wanted.includes(column.name) ? undefined : reasonAgainst(column, seen)
    if (reason === undefined) chosen.push(column)
    else against.push(`${column.name} is left out: ${reason}`)
  }
  if (chosen.length === 0) {
    throw new OptionError(
      `${relation.name} has no column that looks categorical; name some with --modes\n  ${against.join('\n  ')}`,
    )
  }
  notes.push({ kind: 'choice', text: `modes: ${chosen.map(({ name }) => listed(name)).join(', ')}` })
  for (const text of against) notes.push({ kind: 'choice', text })
  return chosen
}

/** Quantiles depend on the data; the others say all themselves. */
const settleBinning = async (
  tables: Tables,
  relation: Relation,
  value: string,
  request: BinRequest | undefined,
): Promise<Binning | undefined> => {
  if (request === undefined || request.kind !== 'quantiles') return request
  const steps = Array.from({ length: request.groups - 1 }, (_, i) => (i + 1) / request.groups)
  const [[edges]] = await tables.rows(
    `SELECT quantile_disc(${numberSql(value)}, [${steps.join(', ')}]) FROM ${relation.from}`,
  )
  const finite = ((edges as number[] | null) ?? []).filter(Number.isFinite)
  return { kind: 'quantiles', edges: [...new Set(finite)] }
}
