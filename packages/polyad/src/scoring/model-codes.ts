import { DataError, type Label, Mode, OptionError } from '@polyad/core'
import { tupleOf } from '@polyad/core/model'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN, NOT_OBSERVED } from '../duckdb/messages.ts'
import { enumeration, literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { binSql, doubleSql, numberSql } from '../source/relation/bin-sql.ts'
import type { Relation } from '../source/relation/relation.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, findColumn, type Inspection, styled } from '../table/columns/columns.ts'
import type { Binning } from '../table/values/bins.ts'
import { firstBin, knownBins } from '../table/values/model-bins.ts'
import { type ModeRecipe, type Recipe, recipeColumns } from '../table/view/recipe.ts'

export interface ModelCodes {
  readonly codes: readonly string[]
  readonly predictors: readonly string[]
  readonly given: readonly string[]
  readonly absent: readonly string[]
}

/**
 * SQL of the code of every mode of a model for the rows of a table: the position of the label, −1 where it is missing
 * and −2 where the model has never seen it. A column that the table lacks is missing throughout. For a model whose classes are
 * explained, also the linear predictor of every class, not a number where a covariate is missing, and every
 * covariate as a number or the position of its category; they must be there.
 */
export const modelCodes = async (
  tables: Tables,
  relation: Relation,
  seen: Inspection,
  { model, recipe }: StoredModel,
): Promise<ModelCodes> => {
  const columns = recipeColumns({ modes: recipe.modes })
  const absent = columns.filter(name => findColumn(seen.columns, name) === undefined)
  if (absent.length === columns.length) {
    columnNamed(seen, absent[0], ', nor any other that the model knows', relation)
    throw new OptionError(`${relation.name} has none of the model's columns`)
  }
  let types = 0
  const codeOf = async (mode: Mode, own: ModeRecipe): Promise<string> => {
    if (absent.includes(own.column)) return `CAST(${NOT_OBSERVED} AS INTEGER)`
    const value = valueSql(styled(columnNamed(seen, own.column, '', relation), own), relation, recipe)
    return own.binning === undefined
      ? labelCode(tables, types++, value, mode, own, recipe.ignoreCase === true)
      : binCode(value, own.binning, mode)
  }
  /** A mode that rows with other labels lack. */
  const conditioned = async ({ when = [] }: ModeRecipe, code: string): Promise<string> => {
    const conditions: string[] = []
    for (const { label, ...own } of when) {
      columnNamed(seen, own.column, ', on which a variable of the model depends', relation)
      const mode = new Mode(own.column, own.labels)
      conditions.push(`${await codeOf(mode, own)} = ${mode.indexOf(label) ?? NEVER_SEEN}`)
    }
    return when.length === 0 ? code : `CASE WHEN ${conditions.join(' AND ')} THEN ${code} ELSE ${NOT_OBSERVED} END`
  }
  const codes: string[] = []
  for (const [n, own] of recipe.modes.entries()) {
    const parts = own.parts?.map(part => ({ part, mode: new Mode(part.column, part.labels) }))
    if (parts === undefined) codes.push(await conditioned(own, await codeOf(model.modes[n], own)))
    else if (own.tuples === true) {
      const values = own.parts!.map(part => tuplePart(relation, seen, part, recipe))
      codes.push(await conditioned(own, await tupleCode(tables, types++, values, model.modes[n])))
    } else {
      const each: string[] = []
      for (const { part, mode } of parts) each.push(await codeOf(mode, part))
      const size = parts.reduce((product, { mode }) => product * mode.size, 1)
      if (size !== model.modes[n].size)
        throw new DataError(`mode ${JSON.stringify(own.column)}: its parts do not fit it`)
      codes.push(
        await conditioned(
          own,
          jointCode(
            each,
            parts.map(({ mode }) => mode.size),
          ),
        ),
      )
    }
  }
  const { structure } = model
  const given: string[] = []
  const values = new Map<string, (label: Label | undefined) => string>()
  for (const [i, { name, labels, numeric }] of structure.given.entries()) {
    const own = recipe.given![i]
    const column = columnNamed(seen, own.column, ', a covariate of the model', relation)
    const number = numberSql(valueSql(styled(column, own), relation, recipe))
    const mode = new Mode(name, labels)
    const code = numeric ? '' : await codeOf(mode, own)
    given.push(`CAST(${numeric ? number : code} AS DOUBLE)`)
    values.set(name, label =>
      label === undefined
        ? number
        : `CASE WHEN ${code} < 0 THEN NULL WHEN ${code} = ${mode.indexOf(label) ?? NEVER_SEEN} THEN 1 ELSE 0 END`,
    )
  }
  if (structure.kind !== 'logit') return { codes, predictors: [], given, absent }
  const factorsOf = structure.terms.map(({ factors }) =>
    factors.map(({ covariate, label }) => ` * (${values.get(covariate)?.(label)})`).join(''),
  )
  const predictors = structure.coefficients.map(
    row => `coalesce(${row.map((estimate, p) => doubleSql(estimate) + factorsOf[p]).join(' + ')}, 'NaN'::DOUBLE)`,
  )
  return { codes, predictors, given, absent }
}

/** SQL of the position of a combination; −1 or −2 where one of its parts is not a label. */
const jointCode = (codes: readonly string[], sizes: readonly number[]): string => {
  const position = codes.reduce((sql, code, i) => `(${sql} * ${sizes[i]} + ${code})`, '0')
  const any = (code: number) => codes.map(each => `${each} = ${code}`).join(' OR ')
  return `CASE WHEN ${any(NOT_OBSERVED)} THEN ${NOT_OBSERVED} WHEN ${any(NEVER_SEEN)} THEN ${NEVER_SEEN} ELSE CAST(${position} AS INTEGER) END`
}

/** What is between the numbers of a combination, and stands for one that is missing: DuckDB writes the numbers of labels and rows in the same way. */
const TUPLE = { between: ' / ', lacking: 'NA' }

/** SQL of a number of a combination as a text; of another text as it is; NULL where it is missing. */
export const tuplePart = (relation: Relation, seen: Inspection, part: ModeRecipe, recipe: Recipe): string => {
  if (findColumn(seen.columns, part.column) === undefined) return 'CAST(NULL AS VARCHAR)'
  const value = valueSql(styled(columnNamed(seen, part.column, '', relation), part), relation, recipe)
  return `coalesce(CAST(TRY_CAST(${value} AS DOUBLE) + 0 AS VARCHAR), CAST(${value} AS VARCHAR))`
}

/** SQL of the position of a combination of numbers, of which some may be missing. */
const tupleCode = async (tables: Tables, n: number, parts: readonly string[], mode: Mode): Promise<string> => {
  const joined = (columns: readonly string[]) =>
    `concat_ws(${literal(TUPLE.between)}, ${columns.map(sql => `coalesce(${sql}, ${literal(TUPLE.lacking)})`).join(', ')})`
  const tuples = (mode.labels ?? []).map(label => tupleOf(label, parts.length) ?? [])
  const lists = parts.map((_, i) => tuples.map(tuple => (Number.isNaN(tuple[i]) ? 'NULL' : doubleSql(tuple[i]))))
  const columns = lists.map((list, i) => `unnest([${list.join(', ')}]::DOUBLE[]) AS v${i}`)
  const known = joined(parts.map((_, i) => `CAST(v${i} AS VARCHAR)`))
  const texts = (await tables.rows(`SELECT ${known} FROM (SELECT ${columns.join(', ')})`)).map(([text]) => String(text))
  await tables.run(`DROP TYPE IF EXISTS known${n}`)
  await tables.run(`CREATE TYPE known${n} AS ENUM ${enumeration(texts)}`)
  const lacks = parts.map(sql => `${sql} IS NULL`).join(' AND ')
  return `CASE WHEN ${lacks} THEN ${NOT_OBSERVED} ELSE coalesce(CAST(enum_code(TRY_CAST(${joined(parts)} AS known${n})) AS INTEGER), ${NEVER_SEEN}) END`
}

const labelCode = async (
  tables: Tables,
  n: number,
  value: string,
  mode: Mode,
  recipe: ModeRecipe,
  ignoreCase: boolean,
): Promise<string> => {
  const labels = mode.labels ?? Array.from({ length: mode.size }, (_, index) => index)
  const numeric = labels.every(label => typeof label === 'number')
  // Numbers are compared as numbers: what one file writes as 1 another writes as 1.0.
  const canonical = (text: string) => `CAST(TRY_CAST(${text} AS DOUBLE) + 0 AS VARCHAR)`
  const key = numeric ? canonical(value) : value
  // What DuckDB makes of the rows' values it makes of the labels too: their digits, or their small letters.
  const known = numeric
    ? `CAST(unnest([${labels.join(', ')}]::DOUBLE[]) AS VARCHAR)`
    : `lower(unnest([${labels.map(label => literal(String(label))).join(', ')}]))`
  const texts =
    numeric || ignoreCase ? (await tables.rows(`SELECT ${known}`)).map(([text]) => String(text)) : labels.map(String)
  await tables.run(`DROP TYPE IF EXISTS known${n}`)
  await tables.run(`CREATE TYPE known${n} AS ENUM ${enumeration(texts)}`)
  const other = recipe.other === undefined ? undefined : mode.indexOf(recipe.other)
  const missing = recipe.missingAs === undefined ? undefined : mode.indexOf(recipe.missingAs)
  const code = `coalesce(CAST(enum_code(TRY_CAST(${key} AS known${n})) AS INTEGER), ${other ?? NEVER_SEEN})`
  return `CASE WHEN ${value} IS NULL THEN ${missing ?? NOT_OBSERVED} ELSE ${code} END`
}

/** Bins that the model knows, found again by what they are called. */
const binCode = (value: string, binning: Binning, mode: Mode): string => {
  const bin = binSql(value, binning)
  const first = firstBin(binning, mode)
  if (first !== undefined) {
    const position = `CAST(${bin} - (${first}) AS INTEGER)`
    return `CASE WHEN ${value} IS NULL THEN ${NOT_OBSERVED} WHEN ${bin} BETWEEN ${first} AND ${first + mode.size - 1} THEN ${position} ELSE ${NEVER_SEEN} END`
  }
  const cases = knownBins(binning, mode).map(([known, position]) => `WHEN ${known} THEN ${position}`)
  if (cases.length === 0) throw new DataError(`mode ${JSON.stringify(mode.name)}: its labels are not those of its bins`)
  return `CASE WHEN ${value} IS NULL THEN ${NOT_OBSERVED} ELSE coalesce(CASE ${bin} ${cases.join(' ')} END, ${NEVER_SEEN}) END`
}
