import { type Model, OptionError } from '@polyad/core'
import { intervalText } from '@polyad/core/model'
import type { ClassMark } from '@polyad/core/stats'

/** What classes are called, and what marks them in a few words. */

/** The longest part of a description that is taken from one name. */
const LONGEST = 28
/** The most marks in a description: more are a list. */
const MOST_MARKS = 3

const clipped = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')
}

/** A category says little without its variable. */
const partOf = ({ mode, label, number }: ClassMark): string => {
  const name = clipped(mode)
  return number === undefined ? `${name} ${clipped(intervalText(label))}` : `${number.side} ${name}`
}

/** What a class is called that nobody has named. */
export const numberedName = (k: number): string => `Class ${k + 1}`

/** What the classes of a model are called: by the names that somebody gave them, else by number. */
export const classNamesOf = ({ classNames, shares }: Pick<Model, 'classNames' | 'shares'>): readonly string[] =>
  classNames ?? shares.map((_, k) => numberedName(k))

/**
 * What marks every class, in a few words: the category that sets it apart most, with its variable, and as many more as tell the classes
 * apart. Empty for a class without marks.
 */
export const describeClasses = (marks: readonly (readonly ClassMark[])[]): readonly string[] => {
  const parts = marks.map(each => [...new Set(each.map(partOf))])
  const told = (count: number) => parts.map(own => own.slice(0, count).join(', '))
  const descriptions = told(1)
  for (let count = 2; count <= MOST_MARKS; count++) {
    const longer = told(count)
    const alike = descriptions.map(text => descriptions.filter(other => other === text).length > 1)
    alike.forEach((isAlike, k) => {
      if (isAlike) descriptions[k] = longer[k]
    })
  }
  return descriptions
}

/** Names that someone gave: one for each class, none empty, none twice. */
export const checkNames = (names: readonly string[], rank: number): readonly string[] => {
  if (names.length !== rank)
    throw new OptionError('names', `must name all ${rank} classes, in descending size`, names.length)
  const given = names.map(name => name.trim())
  given.forEach((name, k) => {
    if (name === '') throw new OptionError('names', `must not be empty (name ${k + 1} is)`)
    if (given.indexOf(name) < k)
      throw new OptionError(
        'names',
        `must differ (got ${JSON.stringify(name)} for classes ${given.indexOf(name) + 1} and ${k + 1})`,
      )
  })
  return given
}
