// @ts-nocheck
// Panels and groups drawn from known models, for the measurements of this folder.
import { random } from '@polyad/core/numeric'

/** Random numbers of one data set. */
export const source = (seed, ...more) => {
  const { uniform } = random(seed, 'data', ...more)
  const pick = shares => {
    let left = uniform()
    const at = shares.findIndex(share => {
      left -= share
      return left < 0
    })
    return at < 0 ? shares.length - 1 : at
  }
  return { uniform, pick }
}

/** Answers yes and no of a class; `undefined` with the probability `lacking`. */
const answers = ({ uniform }, yes, k, lacking) =>
  Object.fromEntries(
    yes[k].map((p, n) => {
      const value = uniform() < p ? 'yes' : 'no'
      return [`q${n + 1}`, uniform() < lacking ? null : value]
    }),
  )

/** Shares of two classes whose logit is moved by a covariate. */
const shifted = (shares, by) => {
  const odds = (shares[1] / shares[0]) * Math.exp(by)
  return by === 0 ? shares : [1 / (1 + odds), odds / (1 + odds)]
}

/** Rows of persons: `yes` has the probabilities of a yes by class and item. */
export const panelRows = (own, { persons, waves, initial, moves, yes, lacking = 0, stayers }) =>
  Array.from({ length: persons }, (_, id) => {
    const stays = stayers !== undefined && own.uniform() < stayers.share
    let k = own.pick(stays ? stayers.sizes : initial)
    return Array.from({ length: waves }, (_, t) => {
      if (t > 0 && !stays) k = own.pick((moves[t - 1] ?? moves[0])[k])
      return { id: `p${id}`, wave: t + 1, ...answers(own, yes, k, lacking) }
    })
  }).flat()

/** Rows of members of groups. */
export const groupRows = (own, { groups, members, sizes, mixes, yes, slope, lacking = 0 }) =>
  Array.from({ length: groups }, (_, g) => {
    const mix = mixes[own.pick(sizes)]
    return Array.from({ length: members }, () => {
      const sex = own.uniform() < 0.5 ? 1 : 0
      const of = slope === undefined ? mix : shifted(mix, slope * sex)
      return { group: `g${g}`, ...(slope !== undefined && { sex }), ...answers(own, yes, own.pick(of), lacking) }
    })
  }).flat()

/** Two classes that are well apart, on so many items. */
export const twoClasses = items => [
  Array.from({ length: items }, (_, n) => 0.9 - 0.03 * n),
  Array.from({ length: items }, (_, n) => 0.15 + 0.03 * n),
]

export const percent = part => `${(100 * part).toFixed(1)}%`
