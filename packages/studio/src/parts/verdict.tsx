import { type FitFigures, reliabilityOf } from 'polyad/report'
import { verdictWords } from './page-words.ts'
import { TermButton } from './term.tsx'

/** How far a solution is to be trusted: first in one line, then what to do about it, and the figures for those who ask. */
export const VerdictOf = ({ figures }: { readonly figures: FitFigures }) => {
  const { level, words } = reliabilityOf(figures)
  const { text, advice } = figures.verdict
  return (
    <div>
      <p class={`verdict-line ${level}`}>
        <strong>{words}</strong>
        <TermButton term="reliability" />
      </p>
      {advice.map(each => (
        <p key={each} class="note warning">
          {capital(each)}.
        </p>
      ))}
      <details>
        <summary class="small">Figures of the search</summary>
        <p class="small muted">{capital(verdictWords(text))}.</p>
      </details>
    </div>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
