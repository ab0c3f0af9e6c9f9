import { answer, cautions, howToReport, type Judgement, judgements, judgeSearch, type Report } from 'polyad/report'
import { CopyButton } from '../../components/copy-button.tsx'
import { Judgements } from '../../components/judgements.tsx'
import { counted } from '../../components/numbers.ts'
import { starredRank } from '../../state/fitting/extend-range.ts'
import { chosenFit, fits, lookAt } from '../../state/store/store.ts'
import { namedReport } from './on-demand-results.ts'

/** What people ask first comes first. */
const ORDER: readonly Judgement['subject'][] = ['groups', 'assignment', 'fit', 'search']
/** Cautions that are shown at once. */
const SHOWN = 2

/** What was found, in a sentence; until the report is there, how much it was found in. */
export const AnswerTitle = () => {
  const [fit, report] = [chosenFit.value, namedReport.value]
  if (fit === null) return <h1>Results</h1>
  const size = `${counted(fit.rank, 'class', 'classes')} of ${counted(fit.figures.total, 'observation')}`
  return (
    <div class="answer-title">
      <h1>{report === null ? size : answer(report)}</h1>
      <p class="muted">{size}</p>
    </div>
  )
}

/** The answer with its evidence: each question about the model, what to be careful of, and a paragraph to copy. */
export const Answer = () => {
  const [fit, report] = [chosenFit.value, namedReport.value]
  if (fit === null) return null
  // One class has nothing to search for.
  const list = (report === null ? [judgeSearch(fit.figures)] : judgements(report)).filter(
    ({ subject }) => subject !== 'search' || fit.rank > 1,
  )
  return (
    <section class="stack answer" aria-label="Answer">
      <Judgements list={list.toSorted((a, b) => ORDER.indexOf(a.subject) - ORDER.indexOf(b.subject))} full cards />
      {report !== null && (
        <>
          {report.classes.length === 1 && <OneClass report={report} />}
          <Cautions list={cautions(report).map(withoutFlags)} />
          <Paragraph text={howToReport(report).join(' ')} />
        </>
      )}
    </section>
  )
}

/** What it means that no groups were found, or that they were not looked for yet. */
const OneClass = ({ report }: { readonly report: Report }) => {
  const found = fits.value
  const recommended = found === null ? null : starredRank(found)
  const isEnough = judgements(report).some(({ subject, level }) => subject === 'groups' && level === 'good')
  return (
    <div class="panel one-class">
      {isEnough ? (
        <p>
          Nothing in this data shows groups of people who answer differently: knowing one answer hardly helps to predict
          another. That does not prove that there are none. Small groups, and groups that differ little, need more
          observations or other variables to be seen.
        </p>
      ) : (
        <p>
          One class is the model without groups: every variable is independent of the others. It is here to compare
          with.
        </p>
      )}
      {recommended !== null && recommended > 1 && (
        <button type="button" onClick={() => lookAt(recommended)}>
          Show the {recommended} classes that are recommended
        </button>
      )}
    </div>
  )
}

const Cautions = ({ list }: { readonly list: readonly string[] }) =>
  list.length === 0 ? null : (
    <section class="cautions" aria-label="Cautions">
      {list.slice(0, SHOWN).map(text => (
        <p key={text} class="note warning">
          {text}
        </p>
      ))}
      {list.length > SHOWN && (
        <details>
          <summary class="small">{counted(list.length - SHOWN, 'more caution')}</summary>
          {list.slice(SHOWN).map(text => (
            <p key={text} class="note warning">
              {text}
            </p>
          ))}
        </details>
      )}
    </section>
  )

const Paragraph = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <details class="paragraph">
      <summary>Paragraph for a paper</summary>
      <div class="panel stack">
        <p>{text}</p>
        <div>
          <CopyButton text={text} label="paragraph for a paper" />
        </div>
      </div>
    </details>
  )

/** Advice of the command line without its options, which a page has not. */
const withoutFlags = (sentence: string): string => sentence.replace(/ \(--[^)]*\)/g, '')
