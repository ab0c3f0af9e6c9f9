import { useState } from 'preact/hooks'
import { showError } from '../state/page/messages.ts'

/** Copies a text, and says that it did. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    } catch {
      showError('The browser blocked copying. Select the text and copy it with the keyboard.')
    }
  }
  return (
    <button type="button" onClick={copy} aria-label={`Copy: ${label}`}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  )
}
