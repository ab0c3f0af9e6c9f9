import { DataError, OptionError, show } from '../errors.ts'

/** One of the values of a variable. */
export type Label = string | number

/** The index of a missing value. */
export const MISSING = -1

/** Options of a mode; a string is its name. */
export interface ModeOptions {
  readonly name: string
  /** Its labels in their order; without them they are collected from the data and sorted. */
  readonly labels?: readonly Label[]
  /** Whether neighbouring labels are alike (ages, sizes, dates). Default: when all labels are numbers. */
  readonly ordered?: boolean
}

/**
 * A variable: a name and its labels. Two labels that read alike (1 and '1') are the same label, since a value that
 * has been through a file is often a string where the program has a number. A mode without labels of its own (a
 * coordinate list, an array) has the whole numbers from 0.
 * @example
 * const mode = new Mode('size', ['small', 'large'], true)
 * mode.indexOf('large') // 1
 */
export class Mode {
  readonly name: string
  readonly size: number
  readonly ordered: boolean
  /** The labels in index order, or undefined where they are the whole numbers from 0. */
  readonly labels: readonly Label[] | undefined
  #index: Map<string, number> | undefined

  constructor(name: string, labels: readonly Label[] | number, ordered?: boolean) {
    if (typeof name !== 'string' || name === '')
      throw new OptionError(`a mode's name must be a string that is not empty (got ${show(name)})`)
    this.name = name
    if (typeof labels === 'number') {
      if (!Number.isInteger(labels) || labels < 1 || labels > MAX_LABELS) {
        throw new OptionError(`mode ${show(name)} must have from 1 to ${MAX_LABELS} labels (got ${show(labels)})`)
      }
      this.size = labels
      this.labels = undefined
    } else {
      if (labels.length === 0) throw new DataError(`mode ${show(name)} has no labels: nothing was observed in it`)
      if (labels.length > MAX_TEXTS)
        throw new DataError(
          `mode ${show(name)} has ${labels.length} labels, and at most ${MAX_TEXTS} can be told apart: number them from 0, or merge some`,
        )
      this.size = labels.length
      this.labels = Object.freeze([...labels])
    }
    this.ordered =
      ordered ?? (this.labels === undefined ? false : this.labels.every(label => typeof label === 'number'))
  }

  /** The label at an index. */
  label(index: number): Label {
    if (!Number.isInteger(index) || index < 0 || index >= this.size) {
      throw new OptionError(`mode ${show(this.name)} has labels 0 to ${this.size - 1} (got index ${show(index)})`)
    }
    return this.labels === undefined ? index : this.labels[index]
  }

  /** The index of a label, or undefined for one this mode does not have. */
  indexOf(label: Label): number | undefined {
    if (this.labels === undefined) {
      const index = typeof label === 'number' ? label : /^\d+$/.test(label) ? Number(label) : Number.NaN
      return Number.isInteger(index) && index >= 0 && index < this.size ? index : undefined
    }
    this.#index ??= indexLabels(this.name, this.labels)
    return this.#index.get(String(label))
  }
}

/** The labels of a mode; those without texts are numbers from 0. */
export const labelsOf = (mode: Mode): readonly Label[] => mode.labels ?? Array.from({ length: mode.size }, (_, j) => j)

/** Indices are 31-bit, and one value above every label stands for a missing one. */
export const MAX_LABELS = 2 ** 31 - 2
/** No more texts fit into the index of a mode. */
const MAX_TEXTS = 2 ** 24 - 1

const indexLabels = (name: string, labels: readonly Label[]): Map<string, number> => {
  const index = new Map<string, number>()
  labels.forEach((label, position) => {
    const text = String(label)
    if (index.has(text)) throw new OptionError(`mode ${show(name)} has the label ${show(label)} twice`)
    index.set(text, position)
  })
  return index
}

/** A mode from labels given by a caller, each checked. */
export const declaredMode = ({ name, labels, ordered }: ModeOptions & { labels: readonly Label[] }): Mode => {
  labels.forEach((label, position) => {
    if (typeof label === 'string' || (typeof label === 'number' && Number.isFinite(label))) return
    throw new OptionError(
      `label ${position + 1} of mode ${show(name)} must be a string or a finite number (got ${show(label)})`,
    )
  })
  const mode = new Mode(name, labels, ordered)
  mode.indexOf(labels[0])
  return mode
}

/**
 * The label a value of a row stands for, or undefined where it is missing: null, undefined, NaN and the empty string
 * are missing; true and false are labels of those names.
 */
export const labelOf = (value: unknown): Label | undefined => {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : finite(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  throw new DataError(`a label must be a string, a number or a boolean (got ${show(value)})`)
}

const finite = (value: number): number => {
  if (!Number.isFinite(value)) throw new DataError(`a label must be finite (got ${value})`)
  return value === 0 ? 0 : value
}

/** Labels in the order a mode keeps them: numbers by value, strings by code unit; one string among them makes all of them strings. */
export const sortLabels = (labels: Iterable<Label>): Label[] => {
  const all = [...labels]
  if (all.every(label => typeof label === 'number')) return all.sort((a, b) => a - b)
  const texts = [...new Set(all.map(String))]
  return texts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
