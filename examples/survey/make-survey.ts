import { type Random, random } from '@polyad/core/numeric'
import { draw } from '../draw.ts'

/**
 * A survey of 40,000 pupils in 1,040 schools, of whom about 1,700 were asked: schools were drawn within regions, and pupils within
 * schools. The north is small and was sampled most, so its pupils have small weights. The class of a pupil is known here, and left out of the file.
 */

const REGIONS = [
  { name: 'north', pupils: 4000, logOdds: [0, 0, 1.2] },
  { name: 'east', pupils: 12_000, logOdds: [0, 0, -0.1] },
  { name: 'south', pupils: 16_000, logOdds: [0, 0, -0.4] },
  { name: 'west', pupils: 8000, logOdds: [0, 0, 0.2] },
]
const SCHOOLS = 14

export const CLASSES = ['settled', 'stressed', 'risk-taking']
const ANSWERS = ['never', 'sometimes', 'often']

/** P[never, sometimes, often] in each class. */
const ITEMS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  smoking: [[0.92, 0.07, 0.01], [0.85, 0.11, 0.04], [0.3, 0.3, 0.4]], // biome-ignore format: one line an item
  drinking: [[0.7, 0.27, 0.03], [0.6, 0.32, 0.08], [0.1, 0.45, 0.45]], // biome-ignore format: one line an item
  truancy: [[0.9, 0.09, 0.01], [0.7, 0.25, 0.05], [0.25, 0.45, 0.3]], // biome-ignore format: one line an item
  homework: [[0.05, 0.35, 0.6], [0.08, 0.27, 0.65], [0.5, 0.4, 0.1]], // biome-ignore format: one line an item
  exercise: [[0.1, 0.35, 0.55], [0.35, 0.45, 0.2], [0.3, 0.4, 0.3]], // biome-ignore format: one line an item
  breakfast: [[0.08, 0.2, 0.72], [0.3, 0.35, 0.35], [0.5, 0.3, 0.2]], // biome-ignore format: one line an item
  worry: [[0.45, 0.45, 0.1], [0.05, 0.35, 0.6], [0.3, 0.45, 0.25]], // biome-ignore format: one line an item
  sleepless: [[0.6, 0.33, 0.07], [0.1, 0.4, 0.5], [0.3, 0.45, 0.25]], // biome-ignore format: one line an item
}
export const ITEM_NAMES = Object.keys(ITEMS)

/** Nearly normal, with mean 0 and variance 1. */
const normal = ({ uniform }: Random): number => Array.from({ length: 12 }, uniform).reduce((sum, x) => sum + x, -6)

/** Girls are more often stressed; the odds of taking risks grow with age. */
const classWeights = (logOdds: readonly number[], girl: boolean, age: number): number[] =>
  [0.5, -0.6 + (girl ? 0.8 : 0), -1.3 + 0.35 * (age - 15)].map((base, k) => Math.exp(base + logOdds[k]))

export interface Pupil {
  /** The position of the class, which the file does not have. */
  readonly of: number
  readonly weight: number
  readonly row: Readonly<Record<string, string | number | undefined>>
}

export const makeSurvey = (seed: number): Pupil[] => {
  const stream = random(seed, 'data')
  const { uniform, below } = stream
  let number = 0
  return REGIONS.flatMap(({ name: region, pupils, logOdds }) => {
    const schools = Array.from({ length: SCHOOLS }, () => {
      const school = `s${String(++number).padStart(2, '0')}`
      const mixture = logOdds.map((odds, k) => odds + (k === 0 ? 0 : 0.7 * normal(stream)))
      return Array.from({ length: 24 + below(13) }, () => ({ school, mixture }))
    })
    const asked = schools.flat()
    return asked.map(({ school, mixture }) => {
      const girl = uniform() < 0.5
      const age = 14 + below(4)
      const of = draw(uniform, classWeights(mixture, girl, age))
      const answers = ITEM_NAMES.map(item => {
        const probabilities = [...ITEMS[item][of]]
        // Girls of the same class exercise less: the one question that does not measure the same for all.
        if (item === 'exercise' && girl) probabilities[2] *= 0.45
        const answer = ANSWERS[draw(uniform, probabilities)]
        // Younger pupils skip two of the questions more often.
        const skipped = ['smoking', 'truancy'].includes(item) && age < 16 ? 0.12 : 0.03
        return [item, uniform() < skipped ? undefined : answer]
      })
      const points = Math.round([68, 64, 52][of] + 10 * normal(stream))
      const weight = Number((pupils / asked.length).toFixed(2))
      const row = {
        school,
        region,
        weight,
        sex: girl ? 'girl' : 'boy',
        age,
        ...Object.fromEntries(answers),
        points: uniform() < 0.05 ? undefined : points,
      }
      return { of, weight, row }
    })
  })
}
