import type { SurveyDesign } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import type { CountPlan, ModePlan } from '../view/view.ts'
import { designColumns, sampleDesign } from './sample-design.ts'

const modes: ModePlan[] = ['vote', 'psu', 'stratum'].map(name => ({
  column: looked(name),
  binning: undefined,
  missingAs: undefined,
  top: undefined,
}))
const weights: CountPlan = { column: looked('w, x'), sampling: true, fractions: true }
const counts: CountPlan = { ...weights, sampling: false }

/** Cells of vote, cluster and stratum, and what they count. */
const designOf = (design: SurveyDesign, cells: readonly (readonly [number, number, number])[], plan = weights) =>
  sampleDesign(
    design,
    {
      labels: [['yes'], ['p', 'q', 'r'], ['north', 'south']],
      indices: [
        Int32Array.from(cells, () => 0),
        Int32Array.from(cells, cell => cell[0]),
        Int32Array.from(cells, cell => cell[1]),
      ],
      values: Float64Array.from(cells, cell => cell[2]),
    },
    modes,
    plan,
    { name: 'x.csv' },
  )

describe('the design of a sample', () => {
  const cells = [
    [0, 0, 2],
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 3],
    [2, 1, 0],
    [1, 1, 1],
    [-1, 0, 5],
    [2, -1, 5],
  ] as const

  it('has the columns that it names', () => {
    expect(designColumns(undefined)).toEqual([])
    expect(designColumns({ cluster: 'a' })).toEqual(['a'])
    expect(designColumns({ cluster: 'a', stratum: 'b' })).toEqual(['a', 'b'])
  })

  it('counts the clusters of every stratum, those of weight zero too', () => {
    const { design, notes } = designOf({ cluster: 'PSU', stratum: 'Stratum' }, cells)
    expect(design).toEqual({ cluster: 'psu', stratum: 'stratum', sizes: { north: 2, south: 3 } })
    expect(notes).toEqual([
      {
        kind: 'choice',
        text: 'in 2 of 5 clusters every row has "w, x" = 0: they still count in the design of the sample',
      },
    ])
    expect(designOf({ cluster: 'psu', stratum: 'stratum' }, cells.slice(0, 4)).notes[0].text).toBe(
      'in 1 of 3 clusters every row has "w, x" = 0: it still counts in the design of the sample',
    )
    expect(
      designOf({ cluster: 'psu', stratum: 'stratum' }, [
        [0, 0, 1],
        [1, 1, 1],
      ]).notes,
    ).toEqual([])
  })

  it('of counts, a row that was never seen counts no cluster', () => {
    const { design, notes } = designOf({ cluster: 'psu', stratum: 'stratum' }, cells, counts)
    expect(design.sizes).toEqual({ north: 1, south: 2 })
    expect(notes).toEqual([])
  })

  it('without strata has one number', () => {
    expect(designOf({ cluster: 'psu' }, cells).design).toEqual({ cluster: 'psu', sizes: 3 })
    expect(designOf({ cluster: 'psu' }, cells.slice(0, 2)).design.sizes).toBe(1)
  })

  it('that says the numbers of clusters keeps them', async () => {
    expect(designOf({ cluster: 'psu', stratum: 'STRATUM', sizes: 9 }, cells)).toEqual({
      design: { cluster: 'psu', stratum: 'stratum', sizes: 9 },
      notes: [],
    })
    expect(await refusal(() => designOf({ cluster: 'psuu' }, cells))).toBe(
      'OptionError: x.csv has no column "psuu" of the design; did you mean "psu"?',
    )
  })
})
