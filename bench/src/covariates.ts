import { random } from '../../packages/core/dist/entries/numeric.js'
import * as statistics from '../../packages/core/dist/entries/stats.js'
import * as library from '../../packages/core/dist/index.js'
import { type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'
import { inBuilds } from './other-build.js'

/**
 * `npm run bench:covariates [respondents [items [rounds]]]`: a large survey with covariates, drawn from a known model, and how long its fit and its
 * residuals of pairs take. With POLYAD_OLD, the folder of another build's packages/core/dist, both take turns.
 */
const [RESPONDENTS, ITEMS, ROUNDS] = [100_000, 20, 3].map((usual, i) => Number(process.argv[2 + i] ?? usual))
/** Version 1.0.0 has residuals given covariates under this name only. */
const parts = await inBuilds('entries/stats.js', statistics)
const versions = (await inBuilds('index.js', library)).map(
  ([name, { fitCovariates }], i) => [name, fitCovariates, parts[i][1].explainedResiduals] as const,
)
const RANK = 4
const DAYS = 60 * 365

/** Coefficients of classes 2 to 4 against the first: intercept, age in decades from 50, schooling, region = south. */
const TRUTH = [
  [0.2, 0.5, -0.3, 0.4],
  [-0.3, -0.4, 0.5, 0.8],
  [-0.6, 0.1, 0.2, -0.5],
] as const

const survey = (): { tensor: Tensor; patterns: number } => {
  const { uniform, below } = random(1, 'data')
  const yes = Array.from({ length: RANK }, () => Array.from({ length: ITEMS }, () => 0.1 + 0.8 * uniform()))
  const columns = Array.from({ length: ITEMS + 3 }, () => new Int32Array(RESPONDENTS))
  const patterns = new Set<string>()
  for (let i = 0; i < RESPONDENTS; i++) {
    // Ages in days, so that next to every respondent has a combination of their own.
    const [age, school, region] = [below(DAYS), below(12), below(2)]
    patterns.add(`${age} ${school} ${region}`)
    const x = [1, (age / 365 - 30) / 10, (school - 6) / 4, region]
    const weights = [1, ...TRUTH.map(beta => Math.exp(beta.reduce((sum, b, p) => sum + b * x[p], 0)))]
    let chance = uniform() * weights.reduce((a, b) => a + b, 0)
    let k = 0
    while (chance > weights[k] && k < RANK - 1) chance -= weights[k++]
    for (let n = 0; n < ITEMS; n++) columns[n][i] = uniform() < yes[k][n] ? 1 : 0
    columns[ITEMS][i] = age
    columns[ITEMS + 1][i] = school
    columns[ITEMS + 2][i] = region
  }
  const answers = Array.from({ length: ITEMS }, (_, n) => ({ name: `q${n + 1}`, labels: ['no', 'yes'] }))
  const tensor = tensorFromColumns(columns, undefined, {
    modes: [
      ...answers,
      { name: 'age', labels: Array.from({ length: DAYS }, (_, i) => (i / 365 - 30) / 10) },
      { name: 'school', labels: Array.from({ length: 12 }, (_, i) => (i - 6) / 4) },
      { name: 'region', labels: ['north', 'south'] },
    ],
  })
  return { tensor, patterns: patterns.size }
}

const { tensor, patterns } = survey()
process.stdout.write(
  `${RESPONDENTS} respondents, ${ITEMS} binary items, 3 covariates (${patterns} combinations), ${RANK} classes, ${tensor.cells} cells\n`,
)
/** Seconds, and seconds of processor time. */
const timed = async <T>(work: () => T | Promise<T>): Promise<[T, string]> => {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  return [result, `${seconds.toFixed(2)} s (${((user + system) / 1e6).toFixed(2)} s of processor time)`]
}
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, fitCovariates, explainedResiduals] of versions) {
    const covariates = ['age', 'school', 'region']
    const [found, fitting] = await timed(() => fitCovariates(tensor, { rank: RANK, covariates }))
    const { verdict, attempts, plain, logLikelihood } = found
    const worst = Math.max(...found.covariates.coefficients.map(({ standardError = Number.NaN }) => standardError))
    const [{ pairs }, judging] = await timed(() => explainedResiduals(found, { limit: 0 }))
    process.stdout.write(
      `${name}: ${fitting}: log-likelihood ${logLikelihood.toFixed(4)}, ${attempts.map(({ passes }) => passes).join(' + ')} passes ` +
        `after ${plain?.totalPasses} without covariates; largest standard error ${worst.toFixed(4)}; ${verdict.text}\n` +
        `  ${pairs.length} residuals of pairs: ${judging}, the largest ${pairs[0].residual}\n`,
    )
  }
}
process.exit(0)
