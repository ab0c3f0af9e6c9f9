import { random } from '../packages/core/src/numeric/philox.ts'

/**
 * Two classes, whose sizes depend on country, party and a number. One answer depends on the country within the first class, one on the party
 * within both, and two on each other. Some answers are missing, and some classes are known.
 */
export const surveyRows = () => {
  const { uniform, below } = random(23, 'data')
  const pick = (...probabilities: number[]) => {
    let left = uniform()
    return probabilities.findIndex((p, i) => {
      left -= p
      return left < 0 || i === probabilities.length - 1
    })
  }
  return Array.from({ length: 900 }, () => {
    const [country, party, x] = [['at', 'ch', 'de'][below(3)], ['red', 'blue'][below(2)], below(5)]
    const odds = Math.exp(-0.8 + 0.5 * x - (country === 'ch' ? 1 : 0) + (party === 'red' ? 0.6 : 0))
    const one = uniform() < odds / (1 + odds)
    const a = one ? pick(0.8, 0.2) : pick(0.25, 0.75)
    const b = one ? pick(0.75, 0.25) : pick(0.15, 0.85)
    const c = one ? (country === 'de' ? pick(0.2, 0.3, 0.5) : pick(0.6, 0.3, 0.1)) : pick(0.1, 0.3, 0.6)
    const d = party === 'red' ? (one ? pick(0.9, 0.1) : pick(0.4, 0.6)) : one ? pick(0.5, 0.5) : pick(0.1, 0.9)
    const e = uniform() < 0.5 ? a : one ? pick(0.7, 0.3) : pick(0.2, 0.8)
    const lacking = (answer: number) => (uniform() < 0.05 ? undefined : answer)
    const known = uniform() < 0.15 ? (one ? 'one' : 'two') : undefined
    return { a, b, c: lacking(c), d: lacking(d), e, country, party, x, known, w: 0.5 + below(4) / 2 }
  })
}
