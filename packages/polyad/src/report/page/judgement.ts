/** How well an answer supports what is concluded from the model: `poor` says to change something first. */
export type JudgementLevel = 'good' | 'fair' | 'poor'

/** The questions, in the order in which they are answered, with a short name for lists. */
export const QUESTIONS = {
  search: { title: 'Search', question: 'Did the search settle?' },
  groups: { title: 'Groups', question: 'Are there groups?' },
  assignment: { title: 'Assignment', question: 'How sure is each assignment?' },
  fit: { title: 'Fit', question: 'Does the model fit?' },
} as const

/** One question about a model, answered from its figures. Questions that they do not answer are left out. */
export interface Judgement {
  readonly subject: keyof typeof QUESTIONS
  readonly question: string
  /** A sentence. */
  readonly answer: string
  readonly level: JudgementLevel
  /** The figures behind it, in sentences; empty if there is nothing to add. */
  readonly evidence: readonly string[]
}

export const judgement = (
  subject: Judgement['subject'],
  level: JudgementLevel,
  answer: string,
  ...evidence: readonly string[]
): Judgement => ({ subject, question: QUESTIONS[subject].question, answer, level, evidence })
