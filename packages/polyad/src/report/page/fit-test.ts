import { isTableEmpty } from '../figures/meaning.ts'
import { counted, fixed, pText, simulatedText } from '../numbers.ts'
import type { ReportFacts } from '../record/report.ts'

/** The level of tests in words. */
export const LEVEL = 0.05

/** A test of the model's fit, with its p-value. */
export interface FitTest {
  readonly p: number
  readonly text: string
}

/**
 * The test of G², or of X² in a sparse table: by the bootstrap if there is one, else by χ² if there are degrees of freedom and enough observations.
 * Weights are no observations, and neither are counts that are not whole: their G² follows no χ².
 */
export const fitTest = ({
  statistics,
  bootstrap,
  data,
}: Pick<ReportFacts, 'statistics' | 'bootstrap' | 'data'>): FitTest | null => {
  if (statistics === null || data.weights !== null || data.whole === false) return null
  const { gSquared, chiSquared, degreesOfFreedom, sparse } = statistics
  const on = isTableEmpty(degreesOfFreedom, data.fitted) ? '' : ` on ${counted(degreesOfFreedom, 'degree')} of freedom`
  if (gSquared === null) return null
  if (bootstrap === null)
    return sparse || statistics.pValue === null
      ? null
      : { p: statistics.pValue, text: `G² = ${fixed(gSquared, 2)}${on}, ${pText(statistics.pValue)}` }
  const { replicates, chiSquared: other } = bootstrap
  // In sparse tables G² rejects true models too often, and X² does not.
  const [name, value, test] =
    sparse && other !== undefined
      ? (['X²', chiSquared, { ...other, replicates }] as const)
      : (['G²', gSquared, bootstrap] as const)
  return { p: test.pValue, text: `${name} = ${fixed(value, 2)}${on}, ${simulatedText(test, ' by the bootstrap')}` }
}
