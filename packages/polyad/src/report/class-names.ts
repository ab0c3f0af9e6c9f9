import { OptionError } from '@polyad/core'
import type { ClassMark } from '@polyad/core/stats'

/** What the classes of a report are called. */

/** The longest part of a proposed name that is taken from one mark. */
const LONGEST = 28
/** Marks in a name: two say what a class is like, three are a list. */
const MARKS = 2

const clipped = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')
}

/** A category says little without its variable. */
const partOf = ({ mode, label }: ClassMark): string => `${clipped(mode)} ${clipped(label)}`

/** What a class is called that has no name. */
export const numberedName = (k: number): string => `Class ${k + 1}`

/**
 * A name for every class, from the categories that mark it, with their variables: as many of them as tell the classes apart, two at the least where there
 * are two. A class without marks, or that none of its marks tells from another, is called by its number.
 */
export const proposeNames = (marks: readonly (readonly ClassMark[])[]): readonly string[] => {
  const parts = marks.map(each => [...new Set(each.map(partOf))])
  const named = (count: number) => parts.map((own, k) => own.slice(0, count).join(', ') || numberedName(k))
  const names = named(MARKS)
  for (let count = MARKS + 1; count <= MARKS + 2; count++) {
    const longer = named(count)
    names.forEach((name, k) => {
      if (names.filter(other => other === name).length > 1) names[k] = longer[k]
    })
  }
  return names.map((name, k) => (names.filter(other => other === name).length > 1 ? numberedName(k) : name))
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
