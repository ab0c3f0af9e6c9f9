import { describe, expect, it } from 'vitest'
import { historyKey } from './shortcuts.ts'

const keys = (text: string) => {
  const parts = text.split('+')
  const has = (name: string) => parts.includes(name)
  return {
    key: parts[parts.length - 1],
    ctrlKey: has('ctrl'),
    metaKey: has('cmd'),
    shiftKey: has('shift'),
    altKey: has('alt'),
  }
}

describe('historyKey', () => {
  it.each([
    ['ctrl+z', 'undo'],
    ['cmd+z', 'undo'],
    ['ctrl+shift+Z', 'redo'],
    ['cmd+shift+Z', 'redo'],
    ['ctrl+y', 'redo'],
    ['cmd+y', undefined],
    ['z', undefined],
    ['ctrl+alt+z', undefined],
    ['ctrl+x', undefined],
  ])('%s is %s', (text, wanted) => expect(historyKey(keys(text))).toBe(wanted))
})
