import { expect, it } from 'vitest'
import { missingValuesNotes } from './missing-values-note.ts'

it('covariates and outcomes with values that may mean missing are named, with a condition that leaves them out', () => {
  const ages = Float64Array.from({ length: 142 }, (_, i) => (i === 0 ? Number.NaN : i % 72 === 71 ? 99 : 18 + (i % 71)))
  const answers = { name: 'my vote', labels: ['left', 'right', "don't know"] }
  const notes = missingValuesNotes([{ name: 'age' }, answers, { name: 'x', labels: ['a', 'b'] }], [ages, ages, ages])
  expect(notes.map(({ kind, text }) => [kind, text])).toEqual([
    ['warning', expect.stringMatching(/^age has values that may mean missing: 99; .*age not in \(99\)/)],
    [
      'warning',
      expect.stringMatching(
        /^my vote has values that may mean missing: 'don''t know'; .*my vote.* not in \('don''t know'\)/,
      ),
    ],
  ])
})
