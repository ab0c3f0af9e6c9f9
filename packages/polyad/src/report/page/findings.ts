import { counted } from '../numbers.ts'
import type { ReportFacts } from '../record/report.ts'
import type { Page, Style } from '../text/text-table.ts'
import { cautions } from './cautions.ts'
import type { Judgement, JudgementLevel } from './judgement.ts'
import { judgements } from './judgements.ts'
import { foundSentences, summary } from './summary.ts'

/** What is said of a model in words: the same at the end of a fit, in `--json`, in a report and in the studio. */
export interface Findings {
  readonly summary: readonly string[]
  readonly judgements: readonly Judgement[]
  readonly cautions: readonly string[]
}

export const findings = (facts: ReportFacts): Findings => ({
  summary: summary(facts),
  judgements: judgements(facts),
  cautions: cautions(facts),
})

const MARKS: Readonly<Record<JudgementLevel, readonly [mark: string, colour: Parameters<Style>[0]]>> = {
  good: ['✓', 'green'],
  fair: ['~', 'yellow'],
  poor: ['!', 'yellow'],
}

/** The end of what a command prints of a model. */
export const findingsText = (facts: ReportFacts, { style }: Pick<Page, 'style'>): string[] => {
  const careful = cautions(facts)
  return [
    style('bold', 'summary'),
    ...foundSentences(facts).map(sentence => `  ${sentence}`),
    ...judgements(facts).map(each => {
      const [mark, colour] = MARKS[each.level]
      return `  ${style(colour, `${mark} ${each.answer}`)} ${each.evidence.join(' ')}`.trimEnd()
    }),
    ...(careful.length === 0 ? [] : ['', style('bold', counted(careful.length, 'caution'))]),
    ...careful.map(sentence => `  ${sentence}`),
  ]
}
