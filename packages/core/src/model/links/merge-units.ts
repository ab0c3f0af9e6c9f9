import type { LinkedRows } from './links.ts'

/** The same rows with units that are alike as one: what a search multiplies is then less. */
export const mergeUnits = ({ weights, starts, cells, counts }: LinkedRows): LinkedRows => {
  const places = new Map<string, number>()
  const first: number[] = []
  const sums: number[] = []
  weights.forEach((weight, unit) => {
    const rows = cells.subarray(starts[unit], starts[unit + 1])
    const key = `${rows.join()};${counts?.subarray(starts[unit], starts[unit + 1]).join() ?? ''}`
    const place = places.get(key) ?? first.push(unit) - 1
    places.set(key, place)
    sums[place] = (sums[place] ?? 0) + weight
  })
  const length = first.reduce((sum, unit) => sum + starts[unit + 1] - starts[unit], 0)
  const merged = {
    weights: Float64Array.from(sums),
    starts: new Int32Array(first.length + 1),
    cells: new Int32Array(length),
    ...(counts !== undefined && { counts: new Float64Array(length) }),
  }
  first.forEach((unit, i) => {
    const [from, to] = [starts[unit], starts[unit + 1]]
    merged.starts[i + 1] = merged.starts[i] + to - from
    merged.cells.set(cells.subarray(from, to), merged.starts[i])
    merged.counts?.set(counts!.subarray(from, to), merged.starts[i])
  })
  return merged
}
