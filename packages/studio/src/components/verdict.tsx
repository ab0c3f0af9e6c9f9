import { type FitFigures, judgeSearch } from 'polyad/report'
import { Judgements } from './judgements.tsx'
import { verdictWords } from './page-words.ts'

/** Whether the search settled: first in one line, then what to do about it, and the figures for those who ask. */
export const VerdictOf = ({ figures }: { readonly figures: FitFigures }) => (
  <div>
    <Judgements list={[judgeSearch(figures)]} full />
    <SearchFigures figures={figures} />
  </div>
)

/** What to do about a search, and its figures for those who ask. */
export const SearchFigures = ({ figures }: { readonly figures: FitFigures }) => {
  const { text, advice } = figures.verdict
  return (
    <>
      {advice.map(each => (
        <p key={each} class="note warning">
          {capital(each)}.
        </p>
      ))}
      <details>
        <summary class="small">Figures of the search</summary>
        <p class="small muted">{capital(verdictWords(text))}.</p>
      </details>
    </>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
