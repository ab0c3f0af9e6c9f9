import { type Model, matchClasses } from '@polyad/core'
import type { LabelDifference } from '@polyad/core/model'
import { loadModel } from '../../output/model-store.ts'
import { counted, fixed, percent } from '../../report/numbers.ts'
import { className } from '../../report/text/classes-text.ts'
import { textTable } from '../../report/text/text-table.ts'
import { defineCommand } from '../framework/define-command.ts'
import { ANY_NUMBER, CLASS, LABEL } from '../options/field-types.ts'
import { MODEL_ARGUMENT } from '../options/model-options.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

export const compare = defineCommand({
  name: 'compare',
  summary: SUMMARIES.compare,
  examples: [
    ['polyad compare a.npz b.npz', 'match the classes of b with those of a, and show how similar they are'],
    ['polyad compare wave1.npz wave2.npz --json', 'the same as JSON'],
    ['polyad compare model.npz model.json', 'one model in two formats: the score is 1'],
  ],
  arguments: [
    { ...MODEL_ARGUMENT, name: '<a>' },
    { name: '<b>', text: 'another model of the same variables' },
  ],
  options: [TIMED_OUTPUT],
  fields: [
    ['score', 'the factor match score: 1 for equal models, whatever their sample sizes', 'number'],
    [
      'unshared',
      'for each variable with categories that only one model has: mode, onlyA, onlyB',
      `{ mode: string, onlyA: ${LABEL}[], onlyB: ${LABEL}[] }[]`,
    ],
    [
      'classes',
      'for each pair: a, b (the class in each model: its name, or its number from 1), shareA, shareB, similarity; null if a class has no partner',
      `{ a: ${CLASS} | null, b: ${CLASS} | null, shareA: ${ANY_NUMBER}, shareB: ${ANY_NUMBER}, similarity: ${ANY_NUMBER} }[]`,
    ],
  ],
  run: ({ terminal }, _: OutputOptions, first: string, second: string) => {
    const [a, b] = [loadModel(first).model, loadModel(second).model]
    const { partner, similarity, score, unshared } = matchClasses(a, b)
    if (unshared.length > 0)
      terminal.warn(
        'categories-unknown',
        `some categories are in one model only and count as probability 0 in the other: ${unshared.map(apart).join('; ')}`,
      )
    const pairs = [
      ...partner.map((other, k) => ({
        a: k as number | null,
        b: other < 0 ? null : other,
        similarity: other < 0 ? null : similarity[k],
      })),
      ...b.shares.flatMap((_, k) => (partner.includes(k) ? [] : [{ a: null, b: k, similarity: null }])),
    ]
    const named = (model: Model, k: number | null) =>
      k === null ? '–' : `${className(model, k)}  ${percent(model.shares[k])}`
    const { style } = terminal
    terminal.answer(
      () => [
        '',
        ...textTable(
          [
            { title: `class in ${first}`, align: 'right', most: 40 },
            { title: `class in ${second}`, align: 'right', most: 40 },
            { title: 'similarity', align: 'right' },
          ],
          pairs.map(pair => [named(a, pair.a), named(b, pair.b), fixed(pair.similarity, 4)]),
          terminal,
        ),
        '',
        `  ${style('bold', 'factor match score')}   ${style('bold', fixed(score, 4))}   ${style('dim', '1: the same, 0: unrelated')}`,
      ],
      () => ({
        score,
        unshared,
        classes: pairs.map(pair => ({
          a: pair.a === null ? null : className(a, pair.a),
          b: pair.b === null ? null : className(b, pair.b),
          shareA: pair.a === null ? null : a.shares[pair.a],
          shareB: pair.b === null ? null : b.shares[pair.b],
          similarity: pair.similarity,
        })),
      }),
    )
  },
})

const apart = ({ mode, onlyA, onlyB }: LabelDifference): string =>
  `${mode} (${counted(onlyA.length, 'category', 'categories')} of the first, ${onlyB.length} of the second)`
