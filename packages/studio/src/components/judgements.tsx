import type { GlossaryTerm, Judgement } from 'polyad/report'
import { TermButton } from './term.tsx'

/** What the evidence of an answer speaks of. */
const TERMS: Readonly<Record<Judgement['subject'], GlossaryTerm>> = {
  groups: 'criteria',
  assignment: 'entropy',
  fit: 'residual',
  search: 'reliability',
}

/** Each question about a model with its answer, and a mark that says how sure: in a line each, or with the figures behind it. */
export const Judgements = ({
  list,
  full = false,
  cards = false,
}: {
  readonly list: readonly Judgement[]
  readonly full?: boolean
  /** Beside each other, where there is room. */
  readonly cards?: boolean
}) => (
  <ul class={`judgements ${full ? 'full' : ''} ${cards ? 'cards' : ''}`} aria-label="Judgement of the model">
    {list.map(({ subject, question, answer, level, evidence }) => (
      <li key={subject} class={level}>
        <span class="judgement-mark" aria-hidden="true" />
        <span>
          <span class={full ? 'small muted question' : 'hidden'}>{question} </span>
          {full ? <strong>{answer}</strong> : answer}
          {full && evidence.length > 0 && (
            <span class="evidence">
              {' '}
              {evidence.join(' ')} <TermButton term={TERMS[subject]} />
            </span>
          )}
        </span>
      </li>
    ))}
  </ul>
)
