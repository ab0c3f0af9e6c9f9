import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

interface Props {
  /** What the button says. */
  readonly label: string
  readonly accept?: string
  readonly onFile: (file: File) => void
  readonly children?: ComponentChildren
}

/** A place where a file can be dropped, with a button that asks for one. */
export const FileDrop = ({ label, accept, onFile, children }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same.
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        if (file !== undefined) onFile(file)
      }}
    >
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          if (file !== undefined) onFile(file)
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
