import { OptionError } from '@polyad/core'
import { advise, type Mention, messageOf, words } from '@polyad/core/options'
import { expect, it } from 'vitest'
import { changedNote, reworded, warning } from './note.ts'

const inFlags = ({ lead, option, values = [] }: Mention) => [lead ?? [], `--${option}`, values].flat().join(' ')
const renamed = (text: string) => text.replaceAll('tmp/1', 'standard input')

it('what is changed keeps the options that it speaks of', () => {
  const text = words`is for tables, and tmp/1 is none: ${advise('use', 'bins', 'age:q5')}`
  const error = reworded(new OptionError('count', text), renamed)
  expect(error.message).toBe("count is for tables, and standard input is none: use bins 'age:q5'")
  expect(messageOf(error, inFlags)).toBe('--count is for tables, and standard input is none: use --bins age:q5')
  expect(changedNote(warning(text), renamed).wording?.[0]).toBe('is for tables, and standard input is none: ')
  expect(changedNote(warning('tmp/1 is empty'), renamed)).toEqual({ kind: 'warning', text: 'standard input is empty' })
  expect(reworded(new Error('tmp/1'), renamed).message).toBe('standard input')
})
