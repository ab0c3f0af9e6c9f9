/**
 * Which server a statement is for. A dialect gives text only, so the text says it, as a comment in front: none for the first server alone.
 * `EACH`: for every shard, on its own tables. `NUMBERED`: the same, and `SHARD` in it stands for the number of the shard, from 0.
 * `ADDED`: as `EACH`, and the one row that each shard gives is added up, column by column.
 */
export const EACH = '/* each shard */ '
export const NUMBERED = '/* each shard, numbered */ '
export const ADDED = '/* each shard, added up */ '
export const SHARD = 'polyad_shard_number'

/**
 * What stands between statements that belong together: done one after the other by each server, and all of them again where one has failed.
 * No name or text contains it.
 */
export const THEN = ';\0'

export interface Marked {
  readonly each: boolean
  readonly added: boolean
  /** The statements for a shard. */
  forShard(number: number): readonly string[]
}

export const readMark = (text: string): Marked => {
  const mark = [EACH, NUMBERED, ADDED].find(each => text.startsWith(each))
  const sql = mark === undefined ? text : text.slice(mark.length)
  return {
    each: mark !== undefined,
    added: mark === ADDED,
    forShard: number => (mark === NUMBERED ? sql.replaceAll(SHARD, String(number)) : sql).split(THEN),
  }
}
