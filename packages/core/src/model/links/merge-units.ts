import type { LinkDesign, LinkSetting } from './links.ts'

/** The same rows with units that are alike as one: what a search multiplies is then less. */
export const mergeUnits = (setting: LinkSetting): LinkSetting => {
  const { weights, starts, cells, counts } = setting.rows
  const { ofUnits, ofRows } = designsOf(setting)
  const places = new Map<string, number>()
  const first: number[] = []
  const sums: number[] = []
  weights.forEach((weight, unit) => {
    const part = (of: Int32Array | Float64Array | undefined) =>
      of?.subarray(starts[unit], starts[unit + 1]).join() ?? ''
    const key = [part(cells), part(counts), ofUnits?.of[unit] ?? '', part(ofRows?.of)].join(';')
    const place = places.get(key) ?? first.push(unit) - 1
    places.set(key, place)
    sums[place] = (sums[place] ?? 0) + weight
  })
  const length = first.reduce((sum, unit) => sum + starts[unit + 1] - starts[unit], 0)
  const rows = {
    weights: Float64Array.from(sums),
    starts: new Int32Array(first.length + 1),
    cells: new Int32Array(length),
    ...(counts !== undefined && { counts: new Float64Array(length) }),
  }
  const rowsOf = new Int32Array(length)
  first.forEach((unit, i) => {
    const [from, to] = [starts[unit], starts[unit + 1]]
    rows.starts[i + 1] = rows.starts[i] + to - from
    rows.cells.set(cells.subarray(from, to), rows.starts[i])
    rows.counts?.set(counts!.subarray(from, to), rows.starts[i])
    if (ofRows !== undefined) rowsOf.set(ofRows.of.subarray(from, to), rows.starts[i])
  })
  const units = ofUnits && { ...ofUnits, of: Int32Array.from(first, unit => ofUnits.of[unit]) }
  const own = ofRows && { ...ofRows, of: rowsOf }
  return setting.kind === 'chain'
    ? { ...setting, rows, ...(units && { starting: units }), ...(own && { moving: own }) }
    : { ...setting, rows, ...(units && { grouping: units }), ...(own && { mixing: own }) }
}

const designsOf = (
  setting: LinkSetting,
): { readonly ofUnits: LinkDesign | undefined; readonly ofRows: LinkDesign | undefined } =>
  setting.kind === 'chain'
    ? { ofUnits: setting.starting, ofRows: setting.moving }
    : { ofUnits: setting.grouping, ofRows: setting.mixing }
