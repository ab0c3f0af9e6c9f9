import { MISSING } from '../../tensor/mode.ts'
import { ChainLinks } from './chain.ts'
import type { LinkDesign, LinkSetting } from './links.ts'
import { NestedLinks } from './nested.ts'

/** The links of a setting for a number of classes. */
export const linksOf = (setting: LinkSetting, rank: number): ChainLinks | NestedLinks =>
  setting.kind === 'chain' ? new ChainLinks(setting, rank) : new NestedLinks(setting, rank)

/** How many rows of `rank` numbers the tables take as a factor; the last may have room to spare. */
export const tableRows = (setting: LinkSetting, rank: number): number => Math.ceil(linksOf(setting, rank).size / rank)

/** A unit by itself, with its own combinations of covariates alone. */
export interface SingleUnit {
  /** Each row is a cell of its own. */
  readonly setting: LinkSetting
  /** Where its tables are among those of all units; undefined if they are the same. */
  readonly entries: Int32Array | undefined
}

/** One unit of many. */
export const singleUnit = (setting: LinkSetting, unit: number, rank: number): SingleUnit => {
  const { starts, cells, counts } = setting.rows
  const [first, end] = [starts[unit], starts[unit + 1]]
  const rows = {
    weights: Float64Array.of(1),
    starts: Int32Array.of(0, end - first),
    cells: cells.subarray(first, end).map((cell, i) => (cell === MISSING ? MISSING : i)),
    ...(counts !== undefined && { counts: counts.subarray(first, end) }),
  }
  /** The combinations that are used, as the only ones. */
  const alone = (of: readonly number[], patterns: number, width: number): LinkDesign => ({
    of: Int32Array.from(of),
    patterns,
    width,
    values: new Float64Array(0),
  })
  const range = (from: number, length: number) => Array.from({ length }, (_, i) => from + i)
  if (setting.kind === 'chain') {
    const { starting, moving } = setting
    if (starting === undefined && moving === undefined) return { setting: { ...setting, rows }, entries: undefined }
    const whole = new ChainLinks(setting, rank)
    const own = {
      ...setting,
      rows,
      ...(starting && { starting: alone([0], 1, starting.width) }),
      ...(moving && {
        moving: alone(
          range(0, end - first).map(t => Math.max(0, t - 1)),
          Math.max(1, end - first - 1),
          moving.width,
        ),
      }),
    }
    const { states, starts: all } = whole.layout
    const square = rank * rank
    const steps = moving === undefined ? range(0, whole.layout.moves) : Array.from(moving.of.subarray(first + 1, end))
    const entries = [
      ...range(whole.layout.initial(unit), states),
      // A person with one wave has no step; there is room for one all the same.
      ...(steps.length === 0 ? [0] : steps).flatMap(z => range(all * states + z * square, square)),
    ]
    return { setting: own, entries: Int32Array.from(entries) }
  }
  const { grouping, mixing, groupClasses } = setting
  if (grouping === undefined && mixing === undefined) return { setting: { ...setting, rows }, entries: undefined }
  const mixes = (grouping?.patterns ?? 1) * groupClasses
  const members = range(first, end - first)
  const own = {
    ...setting,
    rows,
    ...(grouping && { grouping: alone([0], 1, grouping.width) }),
    ...(mixing && {
      mixing: alone(
        members.map((_, i) => i * groupClasses),
        members.length * groupClasses,
        mixing.width,
      ),
    }),
  }
  const bases = mixing === undefined ? [0] : members.map(row => mixing.of[row])
  const entries = [
    ...range((grouping?.of[unit] ?? 0) * groupClasses, groupClasses),
    ...bases.flatMap(base => range(mixes + base * rank, groupClasses * rank)),
  ]
  return { setting: own, entries: Int32Array.from(entries) }
}
