import { MISSING, type Model } from '@polyad/core'
import { compareTexts } from '../table/memory/read-texts.ts'
import type { TextColumn } from '../table/memory/text-dictionary.ts'
import type { CountedRows } from './model-tensor.ts'
import type { SmallModelTable, SmallSample } from './small-model-table.ts'

/** Counts the rows of a small table, as `countModelRows` does with SQL. */
export const countSmallRows = (
  { view, codes, predictors, given, absent, counts, used }: SmallModelTable,
  model: Model,
  { weights: { column, raw }, cluster, stratum }: SmallSample,
  groups?: string,
): CountedRows => {
  const columns = cluster === undefined ? [] : [cluster, ...(stratum === undefined ? [] : [stratum])]
  const design = columns.map(own => numbered(own))
  const all = [...codes, ...design.map(own => own.codes)]
  const group = model.modes.findIndex(({ name }) => name === groups)
  const isUsed = (row: number): boolean =>
    counts[row] * raw[row] > 0 &&
    !(predictors.length > 0 && Number.isNaN(predictors[0][row])) &&
    codes.some((own, n) => n !== group && own[row] > MISSING) &&
    (group < 0 || codes[group][row] > MISSING)
  const found = new Map<string, { readonly key: readonly number[]; rows: number }>()
  for (const row of used) {
    if (!isUsed(row)) continue
    const key = [...all.map(own => own[row]), ...given.map(own => own[row]), raw[row], counts[row]]
    const text = key.join()
    const known = found.get(text) ?? { key, rows: 0 }
    known.rows++
    found.set(text, known)
  }
  const cells = [...found.values()].sort((a, b) => firstDifference(a.key, b.key))
  return {
    name: view.name,
    absent,
    codes: all.map((_, n) => Int32Array.from(cells, ({ key }) => key[n])),
    given: given.map((_, i) => Float64Array.from(cells, ({ key }) => key[all.length + i])),
    weights: Float64Array.from(cells, ({ key }) => key[all.length + given.length]),
    counts: Float64Array.from(cells, ({ key, rows }) => key[all.length + given.length + 1] * rows),
    weighed: column !== undefined,
    design: design.map(({ labels }, i) => ({ name: columns[i].name, labels })),
    sizes: clusterSizes(view.rows, cluster, stratum),
  }
}

const firstDifference = (a: readonly number[], b: readonly number[]): number => {
  const n = a.findIndex((value, i) => value !== b[i])
  return n < 0 ? 0 : a[n] - b[n]
}

/** A column with its texts in their order. */
export const numbered = ({
  texts,
  codes,
}: TextColumn): { readonly labels: readonly string[]; readonly codes: Int32Array } => {
  const labels = [...texts].sort(compareTexts)
  const position = new Map(labels.map((text, i) => [text, i]))
  return { labels, codes: codes.map(code => position.get(texts[code]) ?? MISSING) }
}

const clusterSizes = (
  rows: number,
  cluster: SmallSample['cluster'],
  stratum: SmallSample['stratum'],
): CountedRows['sizes'] => {
  if (cluster === undefined) return 0
  const within = new Map<string, Set<number>>()
  for (let row = 0; row < rows; row++) {
    const own = stratum === undefined ? '' : stratum.texts[stratum.codes[row]]
    within.set(own, (within.get(own) ?? new Set()).add(cluster.codes[row]))
  }
  if (stratum === undefined) return within.get('')?.size ?? 0
  return Object.fromEntries([...within].sort(([a], [b]) => compareTexts(a, b)).map(([name, { size }]) => [name, size]))
}
