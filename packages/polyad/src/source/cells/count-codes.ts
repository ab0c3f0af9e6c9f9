import { cellsOfCodes } from '@polyad/core/model'
import type { Tables } from '../../duckdb/client.ts'
import type { Counted } from '../../table/view/view.ts'
import type { Relation } from '../relation/relation.ts'
import { codeRows, GatheredRows } from './code-rows.ts'
import { type CountSource, type ModeSource, spellings } from './keyed-rows.ts'
import { labelsOfTexts } from './labels-of-texts.ts'
import type { Sampled } from './sampled-modes.ts'

/** When there are so many rows more, those that are the same become one: 32 million of three modes take about 300 MB. */
const MERGE_ROWS = 2 ** 25

/** If of so many rows more than this share are cells, merging them again is not worth the while before there are four times as many. */
const DISTINCT = 0.7

/**
 * Counts cells of rows that DuckDB only reads: it streams their texts, which get codes on the way, and the rows come over as codes. For tables
 * with many labels, or with hardly a row twice: there grouping costs more than sorting whole numbers does.
 */
export const countCodes = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  sampled: readonly Sampled[],
  mergeRows = MERGE_ROWS,
): Promise<Counted> => {
  const apart = count.fractions || count.sampling
  const gathered = new GatheredRows(modes.length)
  let limit = apart ? Number.POSITIVE_INFINITY : mergeRows
  let dropped = 0
  const { rows, texts } = await codeRows(tables, relation, modes, count, sampled, piece => {
    gathered.add(piece)
    if (gathered.rows < limit) return
    const before = gathered.rows
    const cells = gathered.takeCells()
    dropped += cells.dropped
    for (const column of cells.indices) for (let cell = 0; cell < column.length; cell++) column[cell]++
    gathered.add({ codes: cells.indices, values: cells.values })
    limit = Math.max(mergeRows, (gathered.rows > DISTINCT * before ? 4 : 2) * gathered.rows)
  })
  const dictionaries = modes.map((mode, n) => labelsOfTexts(mode, texts[n]))
  const labels = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, dictionaries[n].labels)))
  const coded = dictionaries.map(({ labels: own, positions }) => {
    const all = new Int32Array(positions.length + 1)
    all[0] = -1
    all.set(positions, 1)
    return { positions: all, size: own.length }
  })
  const cells = cellsOfCodes(gathered.take(), coded, apart)
  return {
    rows,
    dropped: dropped + cells.dropped,
    labels,
    indices: cells.indices,
    values: cells.values,
    weights: count.sampling ? cells.each : undefined,
    ordered: !apart && !cells.values.includes(0),
  }
}
