import { settings } from './store.ts'

/** Where keys mean text: the browser has an undo of its own there. */
const TEXT =
  'textarea, input:not([type="checkbox"], [type="radio"], [type="button"], [type="file"], [type="color"], [type="range"]), [contenteditable="true"]'

/** What the keys ask for; undefined where they ask for nothing. */
export const historyKey = ({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): 'undo' | 'redo' | undefined => {
  if (altKey || ctrlKey === metaKey) return undefined
  const pressed = key.toLowerCase()
  if (pressed === 'z') return shiftKey ? 'redo' : 'undo'
  return pressed === 'y' && ctrlKey && !shiftKey ? 'redo' : undefined
}

/** Undo and redo by keyboard, outside of text fields. */
export const listenForKeys = (): void => {
  addEventListener('keydown', event => {
    const wanted = historyKey(event)
    if (wanted === undefined || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest(TEXT) !== null) return
    event.preventDefault()
    settings[wanted]()
  })
}
