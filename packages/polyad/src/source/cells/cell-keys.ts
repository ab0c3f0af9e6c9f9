import { enumeration, literal } from '../../duckdb/sql-text.ts'

/**
 * How rows are told apart while they are counted. A label that was seen among the first rows has a code, and the codes
 * of several modes are one whole number: that is counted and sorted several times as fast as texts are. A row with a
 * label that comes up later keeps its texts, all of them.
 */
export interface CellKeys {
  /** For each mode the texts that have codes, from 1 in their order; 0 is a missing value. */
  readonly texts: readonly (readonly string[])[]
  /** The modes of each word, in their order: their codes are its digits, the last mode's the lowest. */
  readonly words: readonly (readonly number[])[]
}

/** A word is an INTEGER. */
const WORD = 2 ** 31

/** Up to this many texts are compared one after the other, which is faster than looking them up. */
const FEW = 16

export const cellKeys = (seen: readonly (readonly string[])[]): CellKeys => {
  // A statement ends at a zero byte.
  const texts = seen.map(each => each.filter(text => !text.includes('\0')))
  const words: number[][] = []
  let range = WORD
  texts.forEach(({ length }, n) => {
    range *= length + 1
    if (range < WORD) words[words.length - 1].push(n)
    else {
      words.push([n])
      range = length + 1
    }
  })
  return { texts, words }
}

/** SQL that makes known what `codedRows` needs. */
export const prepareKeys = ({ texts }: CellKeys): string[] =>
  texts.flatMap((own, n) => (own.length > FEW ? [`CREATE OR REPLACE TYPE labels${n} AS ENUM ${enumeration(own)}`] : []))

/** SQL of rows with columns m0, m1, … of texts, and beside them c0, c1, …, their codes: NULL where a text has none. */
export const codedRows = ({ texts }: CellKeys, rows: string): string => {
  const codes = texts.map((own, n) => `${codeSql(own, n)} AS c${n}`)
  return `(SELECT *, ${codes.join(', ')} FROM ${rows})`
}

const codeSql = (texts: readonly string[], n: number): string => {
  if (texts.length === 0) return 'NULL::INTEGER'
  if (texts.length > FEW) return `CAST(enum_code(TRY_CAST(m${n} AS labels${n})) AS INTEGER) + 1`
  return `CASE m${n} ${texts.map((text, i) => `WHEN ${literal(text)} THEN ${i + 1}`).join(' ')} END`
}

/** SQL of a coded row's words. */
export const wordsSql = ({ texts, words }: CellKeys): string[] =>
  words.map(modes =>
    modes.reduce((sum, n) => `${sum === '' ? '' : `(${sum}) * ${texts[n].length + 1} + `}coalesce(c${n}, 0)`, ''),
  )

/** SQL of the list of a coded row's texts where one of them has no code, else NULL. */
export const restSql = ({ texts }: CellKeys): string => {
  const late = texts.map((_, n) => `(c${n} IS NULL AND m${n} IS NOT NULL)`)
  return `CASE WHEN ${late.join(' OR ')} THEN [${texts.map((_, n) => `m${n}`).join(', ')}] END`
}

/** Takes words apart: the codes of their modes less one are written to the columns, from a place on. */
export const takeApart = (
  { texts, words }: CellKeys,
  given: readonly Int32Array[],
  columns: readonly Int32Array[],
  from: number,
): void => {
  words.forEach((modes, w) => {
    const rest = given[w]
    for (const n of [...modes].reverse()) {
      const [column, size] = [columns[n], texts[n].length + 1]
      for (let i = 0; i < rest.length; i++) {
        const higher = (rest[i] / size) | 0
        column[from + i] = rest[i] - higher * size - 1
        rest[i] = higher
      }
    }
  })
}
