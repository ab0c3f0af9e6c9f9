import type { Note } from 'polyad/table'
import { pageWords } from '../../parts/page-words.ts'

/** What was chosen, and what to be careful of. */
export const Notes = ({ notes }: { readonly notes: readonly Note[] }) =>
  notes.length === 0 ? null : (
    <section aria-labelledby="notes-title">
      <h2 id="notes-title">What was noticed</h2>
      {notes.map(({ kind, text }) => (
        <p key={text} class={`note ${kind}`}>
          {kind === 'warning' && <span class="hidden">Warning: </span>}
          {pageWords(text)}
        </p>
      ))}
    </section>
  )
