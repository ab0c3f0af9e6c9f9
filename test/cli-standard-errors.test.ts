import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, objectOf, polyad, scratchFolder } from './run-polyad.ts'
import { carcinoma, values } from './tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}

describe('polyad fit --se', () => {
  const raters = at('carcinoma.csv', csvOf(carcinoma))
  const items = at('values.csv', csvOf(values))

  it('gives the published standard errors, shaped as the profiles', async () => {
    const object = objectOf(await polyad(['fit', raters, '-k', '3', '--se', 'empirical', '--json']), 'fit')
    const { standardErrors, profiles, identification } = object
    expect(standardErrors).toMatchObject({ kind: 'empirical', confidence: 0.95, reason: null, free: 13 })
    ;[0.04793, 0.04746, 0.04067].forEach((error, k) => {
      expect(standardErrors.shares[k]).toBeCloseTo(error, 4)
    })
    expect(standardErrors.factors[0][1][0]).toBeCloseTo(0.03864, 4)
    expect(standardErrors.factors[0][0]).toEqual([null, null])
    profiles.forEach(({ probabilities }: { probabilities: number[][] }, n: number) => {
      probabilities.forEach((row, k) => {
        expect(standardErrors.factors[n][k]).toHaveLength(row.length)
        row.forEach((p, j) => {
          const [low, high] = standardErrors.intervals.factors[n][k][j]
          expect(low).toBeLessThanOrEqual(p + 1e-6)
          expect(high).toBeGreaterThanOrEqual(p - 1e-6)
        })
      })
    })
    expect(standardErrors.boundary).toHaveLength(20)
    expect(standardErrors).not.toHaveProperty('covariance')
    expect(identification).toMatchObject({ parameters: 23, rank: 23, degreesOfFreedom: 104, verdict: 'identified' })
    expect(identification.atFit).toMatchObject({ rank: 23, boundary: 10 })
  })

  it('puts them beside the estimates, and the word boundary where there is none', async () => {
    const { stdout } = await polyad(['fit', raters, '-k', '3', '--se', 'observed', '--confidence', '0.9'])
    expect(stdout).toContain('with observed-information standard errors, 90% intervals')
    expect(stdout).toMatch(/A +1 +0\.0000 +boundary +0\.000–0\.0\d\d +0\.9427 +0\.038\d/)
    expect(stdout).toContain('boundary: estimated as exactly 0 or 1')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('is by scores and curvature if no kind is named, and by profile likelihood near 0', async () => {
    const { standardErrors } = objectOf(await polyad(['fit', items, '-k', '2', '--se', '--json']), 'fit')
    expect(standardErrors).toMatchObject({ kind: 'sandwich', profile: { computed: 6, left: 0, reason: null } })
    // Of scipy: BFGS on logits with the probability held, and brentq.
    expect(standardErrors.intervals.factors[0][1][0]).toEqual([0, expect.closeTo(0.0836, 4)])
    const { stdout } = await polyad(['fit', items, '-k', '2', '--se'])
    expect(stdout).toContain('with robust (sandwich) standard errors, 95% intervals')
    expect(stdout).toMatch(/A +1 .* 0\.0068 +0\.0253 +0\.000–0\.084/)
    expect(stdout).toContain('intervals at or near 0 or 1 are by profile likelihood')
  })

  it('says why there are none, and what the table does not determine', async () => {
    const ended = await polyad(['fit', items, '-k', '3', '--se', '--json'])
    const { standardErrors, identification } = objectOf(ended, 'fit')
    expect(standardErrors).toMatchObject({ shares: null, factors: null })
    expect(standardErrors.reason).toContain('13 of 14')
    expect(identification).toMatchObject({ parameters: 14, rank: 13, degreesOfFreedom: 2, verdict: 'not identified' })
    expect(identification.atFit).toMatchObject({ classes: [0, 1, 2], modes: ['A', 'B', 'C', 'D'] })
    const { stdout } = await polyad(['fit', items, '-k', '3', '--se'])
    expect(stdout).toContain('no standard errors: the data does not determine all parameters')
    expect(stdout).toContain('Not identified: classes 1, 2 and 3 in A, B, C, D')
  })

  it('refuses what is no kind and no confidence', async () => {
    const kind = await polyad(['fit', raters, '-k', '2', '--se', 'robust'])
    expect(kind).toMatchObject({ code: 2, stdout: '' })
    expect(kind.stderr).toMatch(/empirical, observed, sandwich/)
    const wrong = await polyad(['fit', raters, '-k', '2', '--se', '--confidence', '95'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('between 0 and 1')
    // Without standard errors there is no interval.
    const alone = await polyad(['fit', raters, '-k', '2', '--confidence', '0.9'])
    expect(alone.code).toBe(2)
    expect(alone.stderr).toContain('--confidence needs --se')
  })
})
