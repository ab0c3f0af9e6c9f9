import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { Mode } from '../../tensor/mode.ts'
import { classMarks } from './class-marks.ts'

const model = new Model(
  [new Mode('vote', ['yes', 'no', 'none']), new Mode('age', [20, 30, 40, 50, 60, 70, 80], true)],
  {
    rank: 2,
    sizes: Float64Array.of(50, 50),
    factors: [
      Float64Array.of(0.8, 0.1, 0.1, 0.8, 0.1, 0.1),
      Float64Array.of(0.3, 0, 0.3, 0, 0.3, 0, 0.1, 0.1, 0, 0.3, 0, 0.3, 0, 0.3),
    ],
  },
)

describe('the marks of a class', () => {
  it('are what is more frequent in it than overall, the strongest first', () => {
    const [age, vote, ...rest] = classMarks(model, 0)
    expect(age).toMatchObject({ mode: 'age', label: '20 … 50', probability: expect.closeTo(1, 12) })
    expect(age.lift).toBeCloseTo(1 / 0.55, 12)
    expect(vote).toMatchObject({ mode: 'vote', label: 'yes', probability: 0.8 })
    expect(vote.overall).toBeCloseTo(0.45, 12)
    expect(rest).toEqual([])
  })

  it('are as many as asked for', () => {
    expect(classMarks(model, 1, 1)).toHaveLength(1)
    expect(classMarks(model, 1, 0)).toEqual([])
    expect(() => classMarks(model, 2)).toThrow('k must be')
  })
})
