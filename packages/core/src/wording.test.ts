import { describe, expect, it } from 'vitest'
import { OptionError } from './errors.ts'
import { checkedOptions, is, type OptionTable } from './options.ts'
import { advise, inWords, type Mention, mention, messageOf, words } from './wording.ts'

const inFlags = ({ lead, option, values }: Mention) =>
  [lead, `--${option}`, ...(values ?? [])].filter(part => part !== undefined).join(' ')

describe('an option that is refused', () => {
  const error = new OptionError('rank', words`must be 2 or more with ${mention('covariates')}`, 1)

  it('is told with its rule and its value', () => {
    expect(error.message).toBe('rank must be 2 or more with covariates (got 1)')
    expect(error).toMatchObject({ option: 'rank', value: 1 })
  })

  it('can be called by another name, and so can the others that it mentions', () => {
    expect(messageOf(error, inFlags)).toBe('--rank must be 2 or more with --covariates (got 1)')
  })

  it('says what was given also where that is nothing', () => {
    expect(new OptionError('rank', 'must be whole', undefined).message).toBe('rank must be whole (got undefined)')
    expect(new OptionError('rank', 'must be whole').message).toBe('rank must be whole')
    expect(new OptionError('two of them').option).toBeUndefined()
  })
})

it('values of the library are quoted where they are text', () => {
  const codes = mention('missing', '-99', "don't know")
  expect(inWords(words`add ${codes}, ${advise('keep the most frequent with', 'top', 1000)}`)).toBe(
    `add missing '-99', missing "don't know", keep the most frequent with top: 1000`,
  )
})

describe('a table of options', () => {
  const table = { rank: { check: is.whole(1), required: true }, all: { check: is.flag, default: false } } as const satisfies OptionTable<{ rank: number; all?: boolean }> // biome-ignore format: one table
  const read = (options: object) => checkedOptions('test', table, options as { rank: number })

  it('fills in defaults', () => {
    expect(read({ rank: 2 })).toEqual({ rank: 2, all: false })
  })

  it.each([
    [{}, 'rank must be a whole number ≥ 1 (got undefined)'],
    [{ rank: 1.5 }, 'rank must be a whole number ≥ 1 (got 1.5)'],
    [{ rank: 1, all: 'yes' }, 'all must be true or false (got "yes")'],
    [{ rank: 1, ranks: 2 }, 'test has no option "ranks"; it takes rank, all'],
    [[], 'test needs an object of options (got an array of 0)'],
  ])('refuses %j', (options, message) => {
    expect(() => read(options)).toThrow(message)
  })
})
