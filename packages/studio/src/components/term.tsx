import { signal } from '@preact/signals'
import { GLOSSARY, type GlossaryTerm, glossaryEntries } from 'polyad/report'
import { useEffect, useRef } from 'preact/hooks'
import { type Heading, numeric } from './table.tsx'

/** Terms in plain words: a "?" beside a figure, what it opens, and the glossary of all of them. */

/** The term whose words are shown, and the button that asked for them. */
const asked = signal<{ readonly term: GlossaryTerm; readonly button: HTMLElement } | null>(null)
/** Whether the glossary is open, and at which term. */
const glossary = signal<{ readonly at: GlossaryTerm | null } | null>(null)

const POPOVER = 'term-words'

/** A "?" that says what a term means. */
export const TermButton = ({ term }: { readonly term: GlossaryTerm }) => {
  const button = useRef<HTMLButtonElement>(null)
  // With its screen a button goes, and so do its words.
  useEffect(() => {
    const own = button.current
    return () => {
      if (asked.peek()?.button === own) asked.value = null
    }
  }, [])
  const isOpen = asked.value !== null && asked.value.button === button.current
  return (
    <button
      ref={button}
      type="button"
      class="term-button"
      aria-label={`What is ${GLOSSARY[term].title}?`}
      aria-expanded={isOpen}
      aria-controls={POPOVER}
      onClick={({ currentTarget }) => {
        asked.value = asked.peek()?.button === currentTarget ? null : { term, button: currentTarget }
      }}
    >
      ?
    </button>
  )
}

/** The name of a figure, with a "?" if the glossary has it. */
export const FigureName = ({ name, term }: { readonly name: string; readonly term?: GlossaryTerm | undefined }) => (
  <span class="figure-name">
    {name}
    {term !== undefined && <TermButton term={term} />}
  </span>
)

/** Over a column of figures. */
export const figureHeading = (name: string, term?: GlossaryTerm): Heading =>
  numeric(<FigureName name={name} term={term} />)

/** Pixels between a button and its words, and between those and the edge of the page. */
const GAP = 6
const EDGE = 8

/** Puts the words below their button, or above it where there is no room below. */
const placeBeside = (words: HTMLElement, button: HTMLElement): void => {
  const [at, own] = [button.getBoundingClientRect(), words.getBoundingClientRect()]
  const left = Math.min(Math.max(EDGE, at.left - own.width / 2), innerWidth - own.width - EDGE)
  const below = at.bottom + GAP + own.height <= innerHeight - EDGE
  words.style.left = `${Math.max(EDGE, left)}px`
  words.style.top = `${Math.max(EDGE, below ? at.bottom + GAP : at.top - GAP - own.height)}px`
}

const Words = () => {
  const place = useRef<HTMLDivElement>(null)
  const now = asked.value
  useEffect(() => {
    const words = place.current
    if (words === null || now === null) return
    placeBeside(words, now.button)
    words.focus({ preventScroll: true })
    const close = () => {
      if (asked.peek() === now) asked.value = null
    }
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !words.contains(target) && !now.button.contains(target)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Escape closes this alone.
      event.stopPropagation()
      close()
      now.button.focus()
    }
    const onScroll = (event: Event) => {
      if (event.target instanceof Node && !words.contains(event.target)) close()
    }
    addEventListener('pointerdown', outside)
    addEventListener('focusin', outside)
    addEventListener('keydown', onKey, true)
    addEventListener('scroll', onScroll, true)
    addEventListener('resize', close)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('focusin', outside)
      removeEventListener('keydown', onKey, true)
      removeEventListener('scroll', onScroll, true)
      removeEventListener('resize', close)
    }
  }, [now])
  return (
    <div
      id={POPOVER}
      ref={place}
      class="term-words"
      tabIndex={-1}
      hidden={now === null}
      role="dialog"
      aria-label={now === null ? undefined : GLOSSARY[now.term].title}
    >
      {now !== null && (
        <>
          <strong>{GLOSSARY[now.term].title}</strong>
          <p>{GLOSSARY[now.term].text}</p>
          <button
            type="button"
            class="link"
            onClick={() => {
              glossary.value = { at: now.term }
              asked.value = null
            }}
          >
            Open the glossary
          </button>
        </>
      )}
    </div>
  )
}

/** The button that opens the glossary. */
export const GlossaryButton = () => (
  <button
    type="button"
    class="link"
    onClick={() => {
      glossary.value = { at: null }
    }}
  >
    Glossary
  </button>
)

const Glossary = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const now = glossary.value
  useEffect(() => {
    if (now === null || dialog.current === null) return
    dialog.current.showModal()
    if (now.at !== null) dialog.current.querySelector(`#glossary-${now.at}`)?.scrollIntoView({ block: 'start' })
  }, [now])
  if (now === null) return null
  const close = () => {
    glossary.value = null
  }
  return (
    <dialog ref={dialog} class="glossary" aria-labelledby="glossary-title" onClose={close}>
      <div class="row glossary-head">
        <h2 id="glossary-title">Glossary</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <dl tabIndex={0} aria-label="Terms">
        {glossaryEntries().map(({ term, title, text }) => (
          <div key={term} id={`glossary-${term}`} class={term === now.at ? 'asked' : undefined}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}

/** What the page needs once for all of its terms. */
export const Terms = () => (
  <>
    <Words />
    <Glossary />
  </>
)
