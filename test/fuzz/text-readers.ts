import { constraintSetting } from '../../packages/core/src/fit/descent/constraints.ts'
import { Mode } from '../../packages/core/src/tensor/mode.ts'
import { columnRecodings } from '../../packages/polyad/src/table/columns/column-recodings.ts'
import { openTable } from '../../packages/polyad/src/table/memory/memory-table.ts'
import { readView } from '../../packages/polyad/src/table/reading/read-view.ts'
import { parseBin } from '../../packages/polyad/src/table/values/bins.ts'
import { parseCondition } from '../../packages/polyad/src/table/values/parse-condition.ts'
import { oneOf, type Random } from '../mutations.ts'
import { encode, type FuzzedReader } from './fuzz.ts'
import { changedJson } from './odd-values.ts'

/** Texts with a grammar of their own: conditions, recodings, bins, and constraints. */

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const WORDS = [
  ...['and', 'or', 'not', 'in', 'is', 'missing', '(', ')', ',', '=', '!=', '<', '<=', '>', '≥', '"', "'", '""', "''"],
  ...['a', 'b', '"q 1"', 'age', "'x'", '1', '-1.5e3', '1e999', '.5', '*', ':', ';', 'q*', 'int', 'q5', 'month'],
]

/** Words of the grammars, in any order. */
const sentence = (bytes: Uint8Array, random: Random): Uint8Array => {
  const text = textOf(bytes)
  const words = Array.from({ length: 1 + Math.floor(12 * random()) }, () => oneOf(WORDS, random))
  if (random() < 0.02)
    return encode(oneOf(['(', 'not ', '((a = 1) and ', '"', 'a*', ' '], random).repeat(random() < 0.1 ? 20_000 : 500))
  return encode(
    random() < 0.5 ? words.join(oneOf([' ', ''], random)) : `${text}${oneOf([' ', ''], random)}${words.join(' ')}`,
  )
}

const cells = (i: number) => [i % 2 ? 'x' : 'y', i % 7, `2024-0${1 + (i % 9)}-02`, i % 3 ? 'u' : 'v', 'z'].join()
const lines = Array.from({ length: 30 }, (_, i) => cells(i))
const table = openTable({ name: 'x.csv', bytes: encode(`a,age,q 1,b,c\n${lines.join('\n')}\n`) })

const asked = (option: 'where' | 'recode' | 'bins') => {
  let times = 0
  return async (bytes: Uint8Array): Promise<void> => {
    const text = textOf(bytes)
    if (option === 'where') parseCondition(text)
    else if (option === 'bins') parseBin(text)
    else columnRecodings([text], await table)
    if (times++ % 10 === 0) await readView(await table, { [option]: option === 'where' ? text : [text] })
  }
}

const MODES = [new Mode('a', ['x', 'y', 'z'], false), new Mode('b', 2, false), new Mode('c', ['x', 'y', 'z'], false)]
const CONSTRAINTS = {
  fixed: [{ mode: 'a', class: 1, label: 'x', probability: 0.5 }],
  zero: [{ mode: 'c', label: 'z' }],
  equal: [[{ mode: 'b', class: 1 }, { mode: 'b', class: 2 }], [{ mode: 'a', class: 2, labels: ['x', 'y', 'z'] }, { mode: 'c', class: 2, labels: ['y', 'x', 'z'] }]],
} // biome-ignore format: as in a file

export const TEXTS: readonly FuzzedReader[] = [
  { name: 'conditions', samples: () => [encode("age >= 1 and (a in ('x', 'y') or not b is missing)"), encode('"q 1" = \'2024-01-02\' or age < 1e3')], read: asked('where'), change: sentence, text: true },
  { name: 'recodings', samples: () => [encode('a:x=first,y=second'), encode('a*:x=1,"y"="2";b:u=w')], read: asked('recode'), change: sentence, text: true },
  { name: 'bins', samples: () => [encode('age:10'), encode('age:q2'), encode('q 1:month')], read: asked('bins'), change: sentence, text: true },
  {
    name: 'constraints',
    samples: () => [encode(JSON.stringify(CONSTRAINTS))],
    read: bytes => {
      const text = textOf(bytes)
      let given: unknown
      try {
        given = JSON.parse(text)
      } catch {
        return
      }
      constraintSetting(MODES, 2, given as Parameters<typeof constraintSetting>[2])
    },
    change: (_, random) => encode(changedJson(CONSTRAINTS, random)),
  },
] // biome-ignore format: a list
