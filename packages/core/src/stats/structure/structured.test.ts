import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const survey = surveyRows()

type Column = keyof (typeof survey)[number]

const tensorOf = (names: readonly Column[]) =>
  tensorFromRows(survey.map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const exact = { rank: 2, starts: 4, stationarity: 1e-9, tolerance: 1e-13, minGain: 0 }
const fitted = (names: readonly Column[], options: Omit<StructuredFitOptions, 'rank'>) =>
  fitStructured(tensorOf(names), { ...exact, ...options })
/** Sums of weights that average 1, and of their squares; every row is from one of thirty towns, if these are asked for. */
const weighted = (names: readonly (Column | 'town')[]) => {
  const mean = survey.reduce((sum, { w }) => sum + w, 0) / survey.length
  const counted = (count: (weight: number) => number) =>
    tensorFromRows(
      survey.map((row, i) => {
        const all = { ...row, town: i % 30 }
        return { ...Object.fromEntries(names.map(name => [name, all[name]])), n: count(row.w / mean) }
      }),
      { count: 'n' },
    )
  return { tensor: counted(weight => weight), squares: counted(weight => weight * weight).values }
}
const items = ['a', 'b', 'c', 'd'] as const

interface Case {
  readonly title: string
  readonly names: readonly Column[]
  readonly options: Omit<StructuredFitOptions, 'rank'>
  readonly logLikelihood: number
  readonly parameters: number
  readonly coefficients: readonly number[]
  readonly errors: Readonly<Record<'empirical' | 'observed' | 'sandwich', readonly number[]>>
  readonly groups?: readonly (readonly [string, number, number])[]
}

/**
 * Maximum likelihood by numpy and scipy: the log-likelihood of every row is written down in logits, with blocks of them by class and by what
 * a variable depends on, and with the other classes impossible if a row's is known. BFGS from six random starts; scores by central
 * differences of every row's log-likelihood, the curvature by differences of their sum. Class 1 is the larger one.
 */
const cases: readonly Case[] = [
  {
    title: 'covariates and groups',
    names: [...items, 'country', 'x'],
    options: { covariates: ['x'], groups: 'country' },
    logLikelihood: -2523.199794,
    parameters: 14,
    coefficients: [0.007267, -0.389093, 1.099909, 0.231634],
    errors: {
      empirical: [0.213814, 0.063913, 0.216279, 0.21957],
      observed: [0.203455, 0.06484, 0.212792, 0.220686],
      sandwich: [0.19746, 0.066377, 0.211619, 0.235845],
    },
    groups: [
      ['pooled', -2538.859953, 12],
      ['probabilities equal', -2523.199794, 14],
      ['free', -2481.520789, 34],
    ],
  },
  {
    title: 'a variable that differs between groups',
    names: [...items, 'country'],
    options: { groups: 'country', free: [{ mode: 'c' }] },
    logLikelihood: -2506.983927,
    parameters: 21,
    coefficients: [-0.542942, 1.014869, 0.049862],
    errors: {
      empirical: [0.1731, 0.207024, 0.212212],
      observed: [0.169447, 0.206894, 0.212128],
      sandwich: [0.166712, 0.207795, 0.212351],
    },
    groups: [
      ['pooled', -2557.500076, 11],
      ['probabilities equal', -2543.202727, 13],
      ['partial', -2506.983927, 21],
      ['free', -2502.95123, 33],
    ],
  },
  {
    title: 'a variable that differs between groups in one class: BFGS from the model of equal probabilities',
    names: [...items, 'country'],
    options: { groups: 'country', free: [{ mode: 'c', class: 2 }] },
    logLikelihood: -2539.677662,
    parameters: 17,
    coefficients: [-0.612519, 0.989461, 0.204928],
    errors: {
      empirical: [0.186567, 0.206816, 0.214263],
      observed: [0.173974, 0.206464, 0.210817],
      sandwich: [0.165476, 0.207361, 0.218754],
    },
  },
  {
    title: 'a direct effect',
    names: [...items, 'party', 'x'],
    options: { covariates: ['x', 'party'], direct: [{ covariate: 'party', mode: 'd' }] },
    logLikelihood: -2478.09276,
    parameters: 15,
    coefficients: [0.664022, -0.384454, -0.480678],
    errors: {
      empirical: [0.195214, 0.062923, 0.17744],
      observed: [0.201559, 0.063279, 0.178029],
      sandwich: [0.210049, 0.06448, 0.182019],
    },
  },
  {
    title: 'known classes',
    names: [...items, 'known'],
    options: { known: 'known' },
    logLikelihood: -2596.182915,
    parameters: 11,
    coefficients: [-0.245425],
    errors: { empirical: [0.096827], observed: [0.098087], sandwich: [0.099681] },
  },
  {
    title: 'known classes, covariates, groups and a variable that differs in the class that is known as one',
    names: [...items, 'known', 'x', 'country'],
    options: { known: 'known', covariates: ['x'], groups: 'country', free: [{ mode: 'c', class: 1 }] },
    logLikelihood: -2518.348532,
    parameters: 18,
    coefficients: [0.160019, -0.438636, 1.108109, 0.017739],
    errors: {
      empirical: [0.191286, 0.062448, 0.21331, 0.215443],
      observed: [0.188789, 0.064161, 0.209106, 0.218517],
      sandwich: [0.187587, 0.066572, 0.206973, 0.222921],
    },
  },
  {
    title: 'joined variables and covariates',
    names: [...items, 'e', 'x'],
    options: { covariates: ['x'], join: [['a', 'e']] },
    logLikelihood: -2933.479899,
    parameters: 16,
    coefficients: [0.386875, -0.380459],
    errors: {
      empirical: [0.164531, 0.061583],
      observed: [0.17011, 0.061854],
      sandwich: [0.178477, 0.06293],
    },
  },
]

describe('fitStructured', () => {
  it.each(cases)('$title', async ({ names, options, logLikelihood, parameters, coefficients, errors, groups }) => {
    for (const kind of ['empirical', 'observed', 'sandwich'] as const) {
      const { explained, groups: compared } = await fitted(names, { ...options, kind })
      const { covariates, evaluation, standardErrors } = explained!
      expect(explained!.logLikelihood).toBeCloseTo(logLikelihood, 5)
      expect([evaluation.parameters, evaluation.identification.rank]).toEqual([parameters, parameters])
      expect([standardErrors.kind, standardErrors.reason]).toEqual([kind, undefined])
      covariates.coefficients.forEach(({ estimate, standardError }, i) => {
        expect(Math.abs(estimate - coefficients[i])).toBeLessThan(2e-5)
        expect(Math.abs(standardError! - errors[kind][i])).toBeLessThan(2e-5)
      })
      groups?.forEach(([name, value, count], i) => {
        const { logLikelihood: own, ...model } = compared!.models[i]
        expect(model).toMatchObject({ name, parameters: count })
        expect(own).toBeCloseTo(value, 5)
      })
    }
  })

  it('tests a direct effect against the model without it', async () => {
    const { direct } = await fitted([...items, 'party', 'x'], {
      covariates: ['x', 'party'],
      direct: [{ covariate: 'party', mode: 'd' }],
    })
    const plain = await fitted([...items, 'party', 'x'], { covariates: ['x', 'party'] })
    expect(direct!.models[0].logLikelihood).toBeCloseTo(plain.explained!.logLikelihood, 6)
    expect(direct!.models.map(({ parameters }) => parameters)).toEqual([13, 15])
    expect(direct!.test.statistic).toBeCloseTo(2 * (-2478.09276 - plain.explained!.logLikelihood), 4)
    expect(direct!.test.pValue).toBeLessThan(1e-6)
  })

  // As above, with weights that average 1; the variance of the scores is that of weighted rows.
  it('weighted groups have sandwich errors', async () => {
    const { tensor, squares } = weighted([...items, 'country'])
    const free = [{ mode: 'c' }]
    const { explained, groups } = await fitStructured(tensor, { ...exact, groups: 'country', squares, free })
    expect(explained!.logLikelihood).toBeCloseTo(-2529.312563, 4)
    expect(groups!.models[1].logLikelihood).toBeCloseTo(-2564.220446, 4)
    const { coefficients } = explained!.covariates
    ;[-0.429988, 0.873244, -0.142286].forEach((estimate, i) => {
      expect(Math.abs(coefficients[i].estimate - estimate)).toBeLessThan(2e-5)
    })
    ;[0.187648, 0.229589, 0.233744].forEach((error, i) => {
      expect(Math.abs(coefficients[i].standardError! - error)).toBeLessThan(2e-5)
    })
    const { explained: equal } = await fitStructured(tensor, { ...exact, groups: 'country', squares })
    ;[0.180745, 0.224549, 0.241855].forEach((error, i) => {
      expect(Math.abs(equal!.covariates.coefficients[i].standardError! - error)).toBeLessThan(2e-5)
    })
  })

  /**
   * As above: tr(A⁻¹·B) of every model by numpy, the scores of rows by central differences of their log-likelihood, A by differences of the
   * scores' sum. Groups by themselves are one model there. Statistics, scaling factors, p-values.
   */
  it.each([
    [
      'weights',
      undefined,
      [
        [19.228187, 1.219823, 6.678e-5],
        [56.820089, 1.228716, 1.9523e-9],
        [9.834778, 1.301749, 0.630453],
      ],
    ],
    [
      'weights and clusters',
      { cluster: 'town' },
      [
        [24.268876, 0.966464, 5.3713e-6],
        [43.516542, 1.60435, 7.0202e-7],
        [10.039418, 1.275215, 0.612502],
      ],
    ],
    [
      'groups as strata',
      { cluster: 'town', stratum: 'country' },
      [
        [21.702395, 1.080756, 1.93814e-5],
        [45.901413, 1.520994, 2.4818e-7],
        [9.746297, 1.313567, 0.638207],
      ],
    ],
  ] as const)('scales the likelihood ratios of %s', async (_, design, expected) => {
    const { tensor, squares } = weighted([...items, 'country', ...(design === undefined ? [] : (['town'] as const))])
    const drawn = design === undefined ? { squares } : { design }
    const asked = { ...exact, groups: 'country', free: [{ mode: 'c' }], ...drawn }
    const { groups, explained } = await fitStructured(tensor, asked)
    expect(groups!.tests.map(({ degreesOfFreedom }) => degreesOfFreedom)).toEqual([2, 8, 12])
    groups!.tests.forEach(({ statistic, scaled, scaling, pValue, reason }, i) => {
      expect(statistic).toBeCloseTo([23.454988, 69.815766, 12.802412][i], 4)
      expect(scaled! / expected[i][0]).toBeCloseTo(1, 4)
      expect(scaling! / expected[i][1]).toBeCloseTo(1, 4)
      expect(pValue! / expected[i][2]).toBeCloseTo(1, 3)
      expect(reason).toBeUndefined()
    })
    expect(groups!.models[2].scaling).toBe(explained!.standardErrors.design!.scaling)
  })

  it('scales likelihood ratios so that rows which are there m times in clusters of their own change nothing', async () => {
    const rows = survey.slice(0, 400).map(({ a, b, c, d, party }, i) => ({ a, b, c, d, party, row: i }))
    const of = async (times: number) => {
      const tensor = tensorFromRows(
        rows.map(row => ({ ...row, n: times })),
        { count: 'n' },
      )
      const options = {
        ...exact,
        covariates: ['party'],
        direct: [{ covariate: 'party', mode: 'd' }],
        join: [['a', 'b']],
      }
      return fitStructured(tensor, { ...options, design: { cluster: 'row' } })
    }
    const [one, many] = [await of(1), await of(7)]
    for (const name of ['direct', 'join'] as const) {
      const [a, b] = [one[name]!.test, many[name]!.test]
      expect([a.reason, b.reason]).toEqual([undefined, undefined])
      expect(b.statistic).toBeCloseTo(7 * a.statistic, 3)
      expect(b.scaling).toBeCloseTo(7 * a.scaling!, 3)
      expect(b.scaled).toBeCloseTo(a.scaled!, 4)
      expect(b.pValue! / a.pValue!).toBeCloseTo(1, 4)
      expect(a.degreesOfFreedom).toBeGreaterThan(0)
    }
  })

  it('has no part for a group that was never asked, and zeros for labels that a group never gave', async () => {
    const rows = survey.map(({ a, b, c, d, country }) => ({
      a,
      b,
      country,
      c: country === 'ch' ? undefined : c,
      d: country === 'at' && d === 1 ? 0 : d,
    }))
    const free = [{ mode: 'c' }, { mode: 'd' }]
    const { explained, groups } = await fitStructured(tensorFromRows(rows), { ...exact, groups: 'country', free })
    const names = explained!.model.modes.map(({ name }) => name)
    const ds = ['at', 'ch', 'de'].map(country => `d (country = ${country})`)
    expect(names).toEqual(['a', 'b', 'c (country = at)', 'c (country = de)', ...ds])
    expect(explained!.model.profile('d (country = at)', 0)[1]).toBeLessThan(1e-12)
    expect(explained!.standardErrors.reason).toBeUndefined()
    expect(explained!.standardErrors.boundary.map(({ mode }) => mode)).toContain('d (country = at)')
    for (const { statistic } of groups!.tests) expect(statistic).toBeGreaterThanOrEqual(0)
    expect(groups!.shares.map(({ similarity }) => similarity.every(each => each > 0 && each <= 1 + 1e-9))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('is the same for counted rows as for repeated ones, on any number of threads, and errors are those of counts', async () => {
    const names = [...items, 'country', 'x', 'known'] as const
    const options = { covariates: ['x'], groups: 'country', free: [{ mode: 'c', class: 1 }], known: 'known' }
    const counted = (n: number) =>
      tensorFromRows(
        survey.map(row => ({ ...Object.fromEntries(names.map(name => [name, row[name]])), n })),
        { count: 'n' },
      )
    const one = await fitted(names, { ...options, threads: 1 })
    const two = await fitted(names, { ...options, threads: 2 })
    expect(two.explained!.logLikelihood).toBe(one.explained!.logLikelihood)
    expect(two.explained!.covariates).toEqual(one.explained!.covariates)
    expect(two.groups).toEqual(one.groups)
    const many = await fitStructured(counted(1e6), { ...exact, ...options })
    expect(many.explained!.logLikelihood / 1e6).toBeCloseTo(one.explained!.logLikelihood, 4)
    many.explained!.covariates.coefficients.forEach(({ estimate, standardError }, i) => {
      const own = one.explained!.covariates.coefficients[i]
      expect(estimate).toBeCloseTo(own.estimate, 4)
      expect((standardError! * 1e3) / own.standardError!).toBeCloseTo(1, 3)
    })
  })

  it.each(['empirical', 'observed', 'sandwich'] as const)(
    'has the same errors whatever the reference category is, also if all of its members are of one class: %s',
    async kind => {
      const certain = { a: 0, b: 0, c: 0, d: 0, country: 'li', x: 4 }
      const rows = survey.map(({ a, b, c, d, country, x }) => ({ a, b, c, d, country, x }))
      const tensor = tensorFromRows([...rows, certain, { ...certain, x: 3 }])
      const of = async (country: string) => {
        const options = { covariates: ['x', 'country'], referenceCategories: { country }, kind }
        const { coefficients } = (await fitStructured(tensor, { ...exact, ...options })).explained!.covariates
        return (term: string) => coefficients.find(each => each.term === term)!
      }
      const [at, li] = [await of('at'), await of('li')]
      expect(at('country = li').standardError).toBeUndefined()
      for (const country of ['at', 'ch', 'de']) expect(li(`country = ${country}`).standardError).toBeUndefined()
      expect(li('intercept').standardError).toBeUndefined()
      expect(li('x').estimate).toBeCloseTo(at('x').estimate, 4)
      expect(li('x').standardError).toBeCloseTo(at('x').standardError!, 4)
    },
  )

  it('compares groups that are the strata of the sample', async () => {
    const rows = survey.map(({ a, b, c, d, country, x }, i) => ({ a, b, c, d, country, x, town: i % 30 }))
    const tensor = tensorFromRows(rows)
    const design = { cluster: 'town', stratum: 'country' }
    const of = (options: Omit<StructuredFitOptions, 'rank'>) => fitStructured(tensor, { ...exact, ...options, design })
    const { explained } = await of({ covariates: ['x', 'country'] })
    const both = await of({ covariates: ['x'], groups: 'country' })
    expect(both.explained!.standardErrors.design).toMatchObject({ clusters: 90, strata: 3 })
    both.explained!.covariates.coefficients.forEach(({ term, estimate, standardError }, i) => {
      const own = explained!.covariates.coefficients[i]
      expect(term).toBe(own.term)
      expect(estimate).toBeCloseTo(own.estimate, 5)
      expect(standardError).toBeCloseTo(own.standardError!, 5)
    })
    // Free in every group by itself, too; likelihoods are those of the table above, which know no design.
    const names = tensorFromRows(rows.map(({ x: _, ...rest }) => rest))
    const { groups } = await fitStructured(names, { ...exact, groups: 'country', free: [{ mode: 'c' }], design })
    const expected = [-2557.500076, -2543.202727, -2506.983927, -2502.95123]
    groups!.models.forEach(({ logLikelihood }, i) => {
      expect(logLikelihood).toBeCloseTo(expected[i], 4)
    })
  })

  it('finds classes besides those that are known', async () => {
    const rows = survey.map(({ a, b, c, d, e, known }) => ({
      a,
      b,
      c,
      d,
      e,
      known: known === 'one' ? 'first' : undefined,
    }))
    const { explained } = await fitStructured(tensorFromRows(rows), { ...exact, rank: 3, known: 'known', starts: 20 })
    expect(explained!.model.classNames).toEqual(['first', 'class 2', 'class 3'])
    expect(explained!.known!.totals.slice(1)).toEqual([0, 0])
    expect(explained!.known!.totals[0]).toBe(survey.filter(({ known }) => known === 'one').length)
    // Rows of a known class have it: the log-likelihood is that of a row-by-row sum.
    const { parameters } = explained!.model
    const logRow = (row: (typeof rows)[number]) => {
      const classes = row.known === undefined ? [0, 1, 2] : [0]
      const part = (k: number) =>
        [row.a, row.b, row.c, row.d, row.e].reduce<number>(
          (p, answer, n) => (answer === undefined ? p : p * parameters.factors[n][answer * 3 + k]),
          parameters.shares[k],
        )
      return Math.log(classes.reduce((sum, k) => sum + part(k), 0))
    }
    expect(rows.reduce((sum, row) => sum + logRow(row), 0)).toBeCloseTo(explained!.logLikelihood, 6)
  })

  it('refuses what cannot be, with the reason', async () => {
    const refused = (options: Omit<StructuredFitOptions, 'rank'>, rank = 2) =>
      expect(fitStructured(tensorOf([...items, 'country']), { rank, ...options })).rejects
    await refused({ groups: 'country', smoothing: 1 }).toThrow(
      'smoothing cannot be combined with groups: smoothed models have no likelihood',
    )
    await refused({ free: [{ mode: 'a' }] }).toThrow('free needs groups')
    const lone = tensorFromRows(
      [...survey, { ...survey[0], country: 'li' }].map(({ a, b, c, country }) => ({ a, b, c, country })),
    )
    await expect(fitStructured(lone, { rank: 2, starts: 1, groups: 'country', free: [{ mode: 'a' }] })).rejects.toThrow(
      'rank must be at most 1, the distinct cells of group "li" (got 2)',
    )
    await refused({ covariates: ['country'] }, 1).toThrow('rank must be 2 or more with covariates')
    const equal = [
      [
        { mode: 'a / b', class: 1 },
        { mode: 'a / b', class: 2 },
      ],
    ]
    await refused({ join: [['a', 'b']], constraints: { equal } }).toThrow(
      'constraints cannot be of a joined variable ("a / b")',
    )
    await refused({ groups: 'country', constraints: { zero: [{ mode: 'a', label: 0 }] } }).toThrow(
      'make a cell of the data impossible',
    )
  })
})
