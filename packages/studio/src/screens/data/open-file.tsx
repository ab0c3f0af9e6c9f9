import { useSignal } from '@preact/signals'
import { tableExtensions, tableLabels } from 'polyad/table'
import { useRef } from 'preact/hooks'
import { openBrowserFile, openText } from '../../state/opening/opening.ts'

const ACCEPTED = [...tableExtensions(), '.gz', '.npz', '.polyad-project'].join()

/** Drop, choose or paste. */
export const OpenFile = ({ compact = false }: { readonly compact?: boolean }) => {
  const input = useRef<HTMLInputElement>(null)
  const over = useSignal(false)
  const pasting = useSignal(false)
  return (
    <section
      class={`open-file${compact ? ' compact' : ''}${over.value ? ' over' : ''}`}
      aria-label="Open a table"
      onDragOver={event => {
        event.preventDefault()
        over.value = true
      }}
      onDragLeave={() => {
        over.value = false
      }}
      onDrop={event => {
        event.preventDefault()
        over.value = false
        const [file] = event.dataTransfer?.files ?? []
        if (file !== undefined) openBrowserFile(file)
      }}
    >
      {!compact && (
        <>
          <strong class="open-file-title">Drop a file anywhere on this page</strong>
          <p class="muted">{tableLabels()}</p>
        </>
      )}
      <div class="row">
        <button type="button" class={compact ? '' : 'primary'} onClick={() => input.current?.click()}>
          {compact ? 'Open another file' : 'Choose a file'}
        </button>
        <button
          type="button"
          aria-expanded={pasting.value}
          onClick={() => {
            pasting.value = !pasting.value
          }}
        >
          Paste a table
        </button>
      </div>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        class="hidden"
        tabIndex={-1}
        aria-label="A file with a table"
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          if (file !== undefined) openBrowserFile(file)
          event.currentTarget.value = ''
        }}
      />
      {pasting.value && <PasteForm />}
    </section>
  )
}

const PasteForm = () => {
  const text = useSignal('')
  return (
    <form
      class="stack paste"
      onSubmit={event => {
        event.preventDefault()
        openText(text.value)
      }}
    >
      <label class="field">
        <span>A table with column names in the first line; cells copied from a spreadsheet work too</span>
        <textarea
          rows={8}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled={text.value.trim() === ''}>
          Open this table
        </button>
      </div>
    </form>
  )
}
