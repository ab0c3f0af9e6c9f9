import { type Model, matchClasses } from '@polyad/core'
import type { Command } from 'commander'
import { loadModel } from '../../output/model-store.ts'
import { alignModels } from '../../report/align-models.ts'
import { className } from '../../report/class-marks.ts'
import { fixed, percent } from '../../report/numbers.ts'
import { textTable } from '../../report/text-table.ts'
import { describe, withOutput } from '../options/describe.ts'
import { withFields } from '../options/json-fields.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

export const compareCommand = (): Command =>
  withFields(
    withOutput(
      describe('compare', 'match the classes of two models', [
        ['polyad compare a.npz b.npz', 'which class of b is which of a, and how alike they are'],
        ['polyad compare wave1.npz wave2.npz --json', 'the same for a program'],
        ['polyad compare model.npz model.json', 'a file in two formats: the score is 1'],
      ])
        .argument('<a>', 'a model, .npz or .json')
        .argument('<b>', 'another of the same modes'),
    ),
    [
      ['score', 'the factor match score: 1 for equal models'],
      ['classes', 'for each pair: a, b, shareA, shareB, similarity; null where a class has no partner'],
    ],
  ).action(runCompare)

const runCompare = (first: string, second: string, options: OutputOptions): void => {
  const terminal = openTerminal(options)
  const [a, b] = alignModels(loadModel(first).model, loadModel(second).model)
  const { partner, similarity, score } = matchClasses(a, b)
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
  terminal.answer(
    () => [
      '',
      ...textTable(
        [
          { title: first, align: 'right' },
          { title: second, align: 'right' },
          { title: 'similarity', align: 'right' },
        ],
        pairs.map(pair => [named(a, pair.a), named(b, pair.b), fixed(pair.similarity, 4)]),
        terminal.style,
      ),
      '',
      `  ${terminal.style('bold', 'factor match score')}   ${terminal.style('bold', score.toFixed(6))}   ${terminal.style('dim', '1: the same, 0: unrelated')}`,
    ],
    () => ({
      score,
      classes: pairs.map(pair => ({
        a: pair.a === null ? null : className(a, pair.a),
        b: pair.b === null ? null : className(b, pair.b),
        shareA: pair.a === null ? null : a.shares[pair.a],
        shareB: pair.b === null ? null : b.shares[pair.b],
        similarity: pair.similarity,
      })),
    }),
  )
}
