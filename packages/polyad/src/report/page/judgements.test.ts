import { chooseRank, fit, type Tensor, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../../test/tables.ts'
import { compareRanks } from '../../analysis/compare-ranks.ts'
import { answer } from './answer.ts'
import type { Judgement } from './judgement.ts'
import { judgements } from './judgements.ts'
import { reportFacts } from './report-facts.ts'

/** Numbers from 0 to 1 that repeat. */
const draws = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Answers of as many people to five items: all alike, or in two groups that answer yes with these probabilities. */
const people = (count: number, groups: readonly number[], seed = 1): Tensor => {
  const next = draws(seed)
  const rows = Array.from({ length: count }, (_, i) => {
    const yes = groups[i % groups.length]
    return Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(name => [name, next() < yes ? 'yes' : 'no']))
  })
  return tensorFromRows(rows, { modes: ['a', 'b', 'c', 'd', 'e'] })
}

const judged = async (data: Tensor, rank: number): Promise<Record<string, Judgement>> => {
  const { model } = await fit(data, { rank, seed: 1 })
  return bySubject(judgements(await reportFacts(model, { data })))
}

const bySubject = (list: readonly Judgement[]) => Object.fromEntries(list.map(each => [each.subject, each]))

/** What `rank` says of the number of classes that it recommends. */
const ranked = async (data: Tensor): Promise<{ readonly rank: number; readonly said: Record<string, Judgement> }> => {
  const found = await compareRanks({ tensor: data, session: undefined }, { from: 1, to: 3, by: 'bic', folds: 0 })
  const at = found.fits.findIndex(({ rank }) => rank === found.recommended)
  const run = JSON.parse(JSON.stringify({ command: 'rank', result: found.figures[at], ranks: found.record }))
  return {
    rank: found.fits[at].rank,
    said: bySubject(judgements(await reportFacts(found.fits[at].result.model, { run, data }))),
  }
}

describe('whether there are groups', () => {
  it('in noise there are none: by one class alone, by more, and among several numbers', async () => {
    const noise = people(500, [0.5])
    const none = 'No groups found: one class is enough.'
    expect((await judged(noise, 1)).groups).toMatchObject({ answer: none, level: 'good' })
    expect((await judged(noise, 3)).groups).toMatchObject({ answer: none, level: 'poor' })
    const { rank, said } = await ranked(noise)
    expect(rank).toBe(1)
    expect(said.groups).toMatchObject({ answer: none, level: 'good' })
    expect(said.fit).toBeUndefined()
  })

  it('two groups that are far apart are found, and one class is not enough', async () => {
    const two = people(500, [0.1, 0.9])
    expect((await judged(two, 2)).groups).toMatchObject({ answer: 'The data has groups.', level: 'good' })
    expect((await judged(two, 1)).groups).toMatchObject({ answer: 'One class is not enough.', level: 'poor' })
    const { rank, said } = await ranked(two)
    expect(rank).toBe(2)
    expect(said.groups.level).toBe('good')
    expect(said.groups.evidence[0]).toBe('All criteria prefer several classes to one.')
    expect(said.groups.evidence[1]).toMatch(/^BIC is [\d,.]+ lower with two classes than with one\.$/)
    expect(said.assignment.level).toBe('good')
    expect(said.fit).toMatchObject({ level: 'good', answer: 'No misfit found.' })
  })

  it('of 24 people whose criteria disagree it is uncertain, however often the search met the same solution', async () => {
    const few = people(24, [0.25, 0.8], 4)
    const found = await judged(few, 2)
    expect(found.groups).toMatchObject({ level: 'fair', answer: 'It is uncertain whether there are groups.' })
    expect(found.groups.evidence[0]).toMatch(/ prefers? one class; .* prefer several\.$/)
  })

  it('a bootstrap test that rejects one class is named, and one that does not', async () => {
    const choice = await chooseRank(people(300, [0.2, 0.8]), { to: 2, folds: 0, replicates: 40, seed: 1 })
    const [first, second] = choice.fits
    const ranks = {
      fits: choice.fits.map(({ rank, bic, aic }) => ({
        rank,
        criteria: { bic, aic },
        ...(rank === 1 && { test: first.test }),
      })),
      recommended: 2,
      reason: 'BIC',
    }
    const facts = async (more: object) =>
      bySubject(judgements(await reportFacts(second.result.model, { run: { ranks: { ...ranks, ...more } } }))).groups
    expect((await facts({})).evidence).toContain('A bootstrap test rejects one class against two.')
    const weak = ranks.fits.map(each => (each.test ? { ...each, test: { ...each.test, pValue: 0.4 } } : each))
    expect(await facts({ fits: weak })).toMatchObject({ level: 'fair' })
  })
})

describe('the answer', () => {
  const answered = async (data: Tensor, rank: number) => {
    const { model } = await fit(data, { rank, seed: 1 })
    return answer(await reportFacts(model, { data }))
  }

  it('says in one sentence whether there are groups, and how many can be told apart', async () => {
    expect(await answered(people(500, [0.5]), 1)).toBe('No groups found: one class is enough.')
    expect(await answered(people(500, [0.5]), 3)).toMatch(
      /^Three classes, but one class is enough; \d+% of observations can be assigned correctly/,
    )
    expect(await answered(people(500, [0.1, 0.9]), 1)).toBe('One class is not enough.')
    expect(await answered(people(500, [0.1, 0.9]), 2)).toBe(
      'Two groups; 99% of observations can be assigned correctly.',
    )
    expect(await answered(carcinoma, 3)).toBe(
      'Three groups; 97% of observations can be assigned correctly; one pair of variables remains associated within them.',
    )
  })
})

describe('how well the model fits', () => {
  it('is judged by pairs that remain associated', async () => {
    const next = draws(7)
    const rows = Array.from({ length: 600 }, (_, i) => {
      const answer = () => (next() < (i % 2 === 0 ? 0.85 : 0.15) ? 'yes' : 'no')
      const [a, b, c, d] = [answer(), answer(), answer(), answer()]
      // The last two answers are nearly the same, in both groups.
      const e = next() < 0.5 ? 'yes' : 'no'
      return { a, b, c, d, e, f: next() < 0.95 ? e : answer() }
    })
    const found = await judged(tensorFromRows(rows, { modes: ['a', 'b', 'c', 'd', 'e', 'f'] }), 2)
    expect(found.fit.level).toBe('poor')
    expect(found.fit.answer).toMatch(/^\d of 15 pairs of variables remains? associated within classes\.$/)
    expect(found.groups.level).toBe('good')
  })

  it('is one thing, and the certainty of assignments another', async () => {
    const found = await judged(people(2000, [0.35, 0.65]), 2)
    expect(found.assignment).toMatchObject({ level: 'poor', answer: 'Many assignments are uncertain.' })
    expect(found.fit.level).toBe('good')
    const sure = await judged(carcinoma, 3)
    expect(sure.assignment).toMatchObject({ level: 'good' })
    expect(sure.assignment.evidence[0]).toContain('96.8% are expected to be correct')
  })
})
