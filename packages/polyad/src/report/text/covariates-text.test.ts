import { describe, expect, it } from 'vitest'
import { runsOff } from '../figures/covariate-figures.ts'
import { partlyTested } from './covariates-text.ts'
import { errorsDiffer, stepBootstrapText } from './step-bootstrap-text.ts'

describe('coefficients that have no finite estimate', () => {
  it.each([
    ['infinity', 3, '∞'],
    ['-infinity', -7.63, '−∞'],
    ['undetermined', -7.63, '–'],
    ['finite', 30, undefined],
    // Nothing is known, and models that an older version has written.
    [null, 30, undefined],
    [undefined, -12, '−∞'],
    [undefined, -7.63, undefined],
  ] as const)('%s, at %s: %s', (limit, estimate, expected) => {
    expect(runsOff({ limit, estimate, standardError: null })).toBe(expected)
  })

  it('are left out of the test, which says so', () => {
    const test = { statistic: 8.7, degreesOfFreedom: 1, pValue: 0.003 }
    expect(
      partlyTested([
        { covariate: 'party', test, untested: 2 },
        { covariate: 'age', test, untested: 0 },
        { covariate: 'town', test: null, untested: 1 },
        { covariate: 'sex', test },
      ]),
    ).toEqual(['party: the test covers 1 of 3 contrasts; the others have no finite estimate'])
  })
})

describe('standard errors of two kinds', () => {
  const error = (name: string, standardError: number | null, other: number | null) => ({
    name,
    standardError,
    bootstrap: { standardError: other, interval: null, finite: 90 },
  })

  it('are compared, and the note names where they differ most', () => {
    expect(
      errorsDiffer([error('a', 1, 1.2), error('b', 1, 0.81), error('c', null, 2), error('d', 1, null)]),
    ).toBeUndefined()
    expect(errorsDiffer([error('a', 1, 1.25), error('b', 0.314, 0.185), error('c', 1, 1)])).toBe(
      'bootstrap standard errors differ by more than 20% from the default ones for 2 of 3 estimates (most for b: 0.1850 instead of 0.3140). In small samples, report the bootstrap standard errors',
    )
    expect(errorsDiffer([])).toBeUndefined()
  })

  it('are shown side by side', () => {
    const page = { width: 80, style: (_: unknown, text: string) => text } as never
    const text = stepBootstrapText({ replicates: 100, failed: 10 }, [error('class 1', 0.5, 0.6)], page).join('\n')
    expect(text).toContain('bootstrap of all three steps   100 replicates, 10 of them without a solution')
    expect(text).toMatch(/class 1\s+0\.5000\s+0\.6000\s+–/)
    const rare = { name: 'class 2', standardError: null, bootstrap: { standardError: null, interval: null, finite: 2 } }
    const other = stepBootstrapText({ replicates: 100, failed: 10 }, [rare], page).join('\n')
    expect(other).toMatch(/class 2 \(finite in 2 of 90\)\s+–\s+–\s+–/)
  })
})
