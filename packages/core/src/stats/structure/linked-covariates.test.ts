import { describe, expect, it } from 'vitest'
import type { Model } from '../../model/model.ts'
import type { ChainStructure } from '../../model/structures/chain.ts'
import type { LinkLogitTerms } from '../../model/structures/link-logit.ts'
import { structureFrom } from '../../model/structures/structures.ts'
import { random } from '../../numeric/philox.ts'
import { omit } from '../../pick.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { chooseRank } from '../ranks/choose-rank.ts'
import { fitStructured } from './structured.ts'

const { uniform } = random(5, 'data')
const logistic = (x: number) => 1 / (1 + Math.exp(-x))
const NAMES = ['a', 'b', 'c'] as const

/** Persons of two groups and different ages; moves depend on something that changes, and some persons never move. */
const rows = Array.from({ length: 180 }, (_, id) => {
  const sex = uniform() < 0.5 ? 'f' : 'm'
  const age = 20 + Math.floor(50 * uniform())
  let k = uniform() < logistic((sex === 'f' ? 1 : 0) - 0.04 * (age - 40)) ? 1 : 0
  const stays = uniform() < 0.3
  return [1, 2, 3].flatMap(wave => {
    const x = Math.round(10 * uniform()) / 10
    if (wave > 1 && !stays) k = uniform() < (k === 1 ? 0.75 : logistic(2 * x - 2)) ? 1 : 0
    const say = (p: number) => (uniform() < (k === 1 ? p : 1 - p) ? 'yes' : 'no')
    // Some are not there, and then what they would have said of x is what they said before.
    return id % 7 === 3 && wave === 2 ? [] : [{ id, wave, sex, age, x, a: say(0.9), b: say(0.85), c: say(0.8) }]
  })
}).flat()
type Row = (typeof rows)[number]
const without = (...names: (keyof Row)[]) =>
  tensorFromRows(
    rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as keyof Row)))),
  )
const chain = { rank: 2, person: 'id', time: 'wave', starts: 2, threads: 1 } as const

/** P[entry] by a logit, from the values of a row. */
const shareOf = ({ terms, intercepts, slopes }: LinkLogitTerms, row: Row, set: number, from: number, entry: number) => {
  const parts = slopes[from].map((own, k) =>
    Math.exp(
      own.reduce(
        (sum, slope, p) =>
          sum +
          slope *
            terms[p].factors.reduce((product, { covariate, label }) => {
              const value = row[covariate as keyof Row]
              return product * (label === undefined ? Number(value) : Number(value === label))
            }, 1),
        intercepts[set][from][k],
      ),
    ),
  )
  return parts[entry] / parts.reduce((sum, each) => sum + each, 0)
}

/** The log-likelihood by all paths of classes, computed from what the structure says. */
const byPaths = (model: Model, structure: ChainStructure, same = false) => {
  const probability = (row: Row, k: number) =>
    NAMES.reduce((product, name) => {
      const part = model.modes.findIndex(mode => mode.name === name || mode.name === `${name} (wave = ${row.wave})`)
      return product * model.parameters.factors[part][model.modes[part].indexOf(row[name])! * 2 + k]
    }, 1)
  const persons = new Map<number, Row[]>()
  for (const row of rows) persons.set(row.id, [...(persons.get(row.id) ?? []), row])
  let sum = 0
  for (const own of persons.values()) {
    const at = (wave: number) => own.find(row => row.wave === wave)
    const seen = (wave: number, k: number) => (at(wave) === undefined ? 1 : probability(at(wave)!, k))
    const { initial, transitions, stayers } = structure
    const first = (state: number) => {
      if (structure.starting !== undefined) return shareOf(structure.starting, own[0], 0, 0, state)
      if (stayers === undefined) return initial[state]
      return state < 2 ? (1 - stayers.share) * initial[state] : stayers.share * stayers.sizes[state - 2]
    }
    const move = (wave: number, from: number, to: number) =>
      structure.moving === undefined
        ? transitions[same ? 0 : wave - 2][from][to]
        : shareOf(structure.moving, at(wave) ?? at(wave - 1)!, same ? 0 : wave - 2, from, to)
    let all = 0
    for (let path = 0; path < 8; path++) {
      const [i, j, k] = [path & 1, (path >> 1) & 1, path >> 2]
      all += first(i) * seen(1, i) * move(2, i, j) * seen(2, j) * move(3, j, k) * seen(3, k)
    }
    if (stayers !== undefined) for (const k of [0, 1]) all += first(2 + k) * seen(1, k) * seen(2, k) * seen(3, k)
    sum += Math.log(all)
  }
  return sum
}

describe('covariates of persons over time', () => {
  it('explain the first class and the transitions, with the likelihood of all paths, highest at the coefficients', async () => {
    const options = { ...chain, covariates: ['sex', 'age'], transitionCovariates: ['x'] }
    const data = without()
    const { result, linked } = await fitStructured(data, options)
    const structure = result.model.structure as ChainStructure
    expect(linked!.evaluation.parameters).toBe(6 + 3 + 2 * 3)
    const best = byPaths(result.model, structure)
    expect(result.logLikelihood).toBeCloseTo(best, 6)
    expect((await evaluate(data, result.model)).logLikelihood).toBeCloseTo(best, 6)
    expect(structureFrom(JSON.parse(JSON.stringify(structure)))).toEqual(structure)
    // Every coefficient lies at the top, and its error is that of the curvature, or larger since others are estimated too.
    for (const part of ['starting', 'moving'] as const) {
      const logit = structure[part]!
      const places = logit.slopes.flatMap((entries, from) =>
        entries.flatMap((list, k) => list.flatMap((slope, p) => (slope === 0 ? [] : [{ from, k, p }]))),
      )
      const effects = linked!.standardErrors!.effects!.find(each => (each.part === 'initial') === (part === 'starting'))
      for (const { from, k, p } of places) {
        const step = 1e-3 / (logit.terms[p].name === 'age' ? 40 : 1)
        const moved = (by: number) => {
          const slopes = logit.slopes.map((rest, i) =>
            rest.map((own, j) => own.map((each, q) => (i === from && j === k && q === p ? each + by : each))),
          )
          return byPaths(result.model, { ...structure, [part]: { ...logit, slopes } } as ChainStructure)
        }
        const [above, below] = [moved(step), moved(-step)]
        expect(Math.abs(above - below) / (2 * step)).toBeLessThan(0.05)
        const curvature = (2 * best - above - below) / step ** 2
        const { error } = effects!.coefficients.find(
          each => each.term === logit.terms[p].name && each.class === k + 1 && (each.from ?? 1) === from + 1,
        )!
        expect(error).toBeGreaterThan(0.7 / Math.sqrt(curvature))
        expect(error).toBeLessThan(4 / Math.sqrt(curvature))
      }
    }
  })

  it('may be groups, which explain both: as fits of each group by itself, with the same profiles', async () => {
    const { result, linked } = await fitStructured(without('age', 'x'), { ...chain, groups: 'sex' })
    const structure = result.model.structure as ChainStructure
    expect(structure.starting!.terms).toEqual(structure.moving!.terms)
    expect(result.logLikelihood).toBeCloseTo(byPaths(result.model, structure), 6)
    expect(linked!.evaluation.parameters).toBe(6 + 2 + 6)
    expect(linked!.standardErrors!.effects!.map(({ part }) => part)).toEqual(['initial', 'transitions'])
  })

  it('are possible for several numbers of classes', async () => {
    const asked = { covariates: ['sex'], transitionCovariates: ['x'], stayers: true }
    const { fits } = await chooseRank(without('age'), { ...omit(chain, 'rank'), ...asked, from: 1, to: 2, starts: 1 })
    expect(fits.map(({ parameters }) => parameters)).toEqual([3, 6 + 3 * 2 + 2 * 3])
    const pupils = tensorFromRows(
      rows.map(({ id, sex, a, b, c }) => ({ school: id % 30, sex, town: id % 30 > 11 ? 'y' : 'n', a, b, c })),
    )
    const nested = { within: 'school', covariates: ['sex'], groupCovariates: ['town'], threads: 1, starts: 1 } as const
    const one = await chooseRank(pupils, { ...nested, groupClasses: 2, from: 1, to: 2 })
    expect(one.fits.map(({ parameters }) => parameters)).toEqual([3 + 2, 6 + 2 + 2 + 1])
    const single = await fitStructured(pupils, { ...nested, rank: 2, groupClasses: 1 })
    expect(single.linked!.evaluation.parameters).toBe(6 + 1 + 1)
  })

  it('persons who lack them are omitted, and counted', async () => {
    const data = tensorFromRows(rows.map(({ x: _, age: __, ...row }) => (row.id < 10 ? { ...row, sex: null } : row)))
    const { linked } = await fitStructured(data, { ...chain, starts: 1, covariates: ['sex'] })
    expect(linked!.data.observations).toBe(170)
    expect(linked!.data.dropped).toBe(rows.filter(({ id }) => id < 10).length)
  })
})

describe('persons who never change', () => {
  it('are a part of all, with class sizes of their own', async () => {
    const { result, linked } = await fitStructured(without('sex', 'age', 'x'), { ...chain, stayers: true })
    const structure = result.model.structure as ChainStructure
    expect(linked!.evaluation.parameters).toBe(6 + 3 + 4)
    expect(result.logLikelihood).toBeCloseTo(byPaths(result.model, structure), 6)
    const { stayers, sizes } = linked!.standardErrors!.chain!
    expect(stayers!.share.value).toBe(structure.stayers!.share)
    expect(sizes[2][0].value).toBeCloseTo(structure.sizes(2)[0], 10)
    expect(structureFrom(JSON.parse(JSON.stringify(structure)))).toEqual(structure)
  })
})

describe('variables that differ between waves', () => {
  it('are a mode for each wave', async () => {
    const data = without('sex', 'age', 'x')
    const { result, linked } = await fitStructured(data, { ...chain, free: [{ mode: 'a' }], transitions: 'same' })
    expect(result.model.modes.map(({ name }) => name)).toEqual([
      'a (wave = 1)',
      'a (wave = 2)',
      'a (wave = 3)',
      'b',
      'c',
    ])
    expect(result.logLikelihood).toBeCloseTo(byPaths(result.model, result.model.structure as ChainStructure, true), 6)
    expect(linked!.evaluation.parameters).toBe(2 * 3 + 4 + 1 + 2)
    expect((await evaluate(data, result.model)).logLikelihood).toBeCloseTo(result.logLikelihood, 8)
  })

  it.each([
    [{ free: [{ mode: 'a', class: 1 }] }, 'cannot name a class'],
    [{ free: [{ mode: 'z' }] }, 'free names no mode of the data: "z"'],
    [{ covariates: ['id'] }, 'names "id", which says whose the rows are'],
    [{ transitionCovariates: ['wave'] }, 'names "wave", which says whose the rows are'],
    [{ covariates: ['sex'], standardize: true }, 'standardize cannot be combined with person'],
  ])('and what cannot be is rejected: %j', async (more, reason) => {
    await expect(fitStructured(without('age', 'x'), { ...chain, ...more })).rejects.toThrow(reason)
  })
})
