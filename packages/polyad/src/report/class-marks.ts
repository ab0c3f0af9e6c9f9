import type { Model } from '@polyad/core'
import { bar, lift, percent } from './numbers.ts'
import { type Style, textTable } from './text-table.ts'

/** A label that marks a class. */
export interface Mark {
  readonly mode: string
  readonly label: string
  /** P[label | class]. */
  readonly probability: number
  /** P[label] over all classes. */
  readonly overall: number
  /** How many times as frequent in the class as overall. */
  readonly lift: number
}

/** What a class is called: its own name, or its number from 1. */
export const className = ({ classNames }: Model, k: number): string => classNames?.[k] ?? `${k + 1}`

/** Ordered modes with more labels than this are told as a range of labels: one label says little of a measurement. */
const FEW_LABELS = 6
/** A label hardly more frequent than overall marks nothing. */
const LEAST_LIFT = 1.15
/** Beyond this many labels the ranges are too many to go through. */
const MANY_LABELS = 1000

/**
 * The labels that set a class apart, the strongest first. They are ranked by P·log(lift), a label's part in the
 * divergence of the class from the whole: lift alone would favour what is rare everywhere.
 */
export const marksOf = (model: Model, k: number, most: number): Mark[] => {
  const marks: (Mark & { strength: number })[] = []
  model.modes.forEach((mode, n) => {
    const overall = model.marginal(n)
    const inClass = model.profile(n, k)
    const ranged = mode.ordered && mode.size > FEW_LABELS && mode.size <= MANY_LABELS
    const spans = ranged ? [strongestRange(inClass, overall)] : inClass.map((_, j) => [j, j] as const)
    for (const [from, to] of spans) {
      const probability = sum(inClass, from, to)
      const expected = sum(overall, from, to)
      const times = probability / expected
      if (!(times >= LEAST_LIFT)) continue
      const [first, last] = [String(mode.label(from)), String(mode.label(to))]
      const label = from === to ? first : mergedLabel(first, last)
      marks.push({
        mode: mode.name,
        label,
        probability,
        overall: expected,
        lift: times,
        strength: probability * Math.log(times),
      })
    }
  })
  marks.sort((a, b) => b.strength - a.strength)
  return marks.slice(0, most).map(({ strength: _, ...mark }) => mark)
}

const sum = (values: readonly number[], from: number, to: number): number => {
  let total = 0
  for (let j = from; j <= to; j++) total += values[j]
  return Math.min(1, total)
}

/** [1,1.1) to [1.8,1.9) is [1,1.9); other labels stand with dots between. */
const mergedLabel = (first: string, last: string): string => {
  const [low, high] = [/^(\[[^,]+),/.exec(first)?.[1], /,([^,]+\))$/.exec(last)?.[1]]
  return low === undefined || high === undefined ? `${first} … ${last}` : `${low},${high}`
}

/** The run of neighbouring labels that tells the class from the whole best: the divergence of being in it or not. */
const strongestRange = (inClass: readonly number[], overall: readonly number[]): readonly [number, number] => {
  let best: readonly [number, number] = [0, 0]
  let most = Number.NEGATIVE_INFINITY
  for (let from = 0; from < inClass.length; from++) {
    if (inClass[from] === 0) continue
    let [p, q] = [0, 0]
    for (let to = from; to < inClass.length; to++) {
      p += inClass[to]
      q += overall[to]
      if (p <= q || inClass[to] === 0) continue
      const outside = p < 1 && q < 1 ? (1 - p) * Math.log((1 - p) / (1 - q)) : 0
      const strength = p * Math.log(p / q) + outside
      if (strength > most + 1e-12) [best, most] = [[from, to], strength]
    }
  }
  return best
}

/** The classes with their shares and marks, for the terminal. */
export const classesText = (model: Model, style: Style, most = 8): string[] =>
  model.shares.flatMap((share, k) => {
    const name = model.classNames === undefined ? `class ${k + 1}` : className(model, k)
    const title = `${style('bold', name)}   ${style('bold', percent(share))}`
    const marks = marksOf(model, k, most)
    if (marks.length === 0)
      return [title, style('dim', '  nothing sets it apart: its labels are as frequent as overall'), '']
    const rows = marks.map(mark => [
      `${mark.mode} = ${mark.label}`,
      percent(mark.probability),
      bar(mark.probability, 10).padEnd(10),
      percent(mark.overall),
      lift(mark.lift),
    ])
    const columns = [
      { title: '', most: 44 },
      { title: 'in class', align: 'right' },
      { title: '' },
      { title: 'overall', align: 'right' },
      { title: 'lift', align: 'right' },
    ] as const
    return [
      title,
      ...textTable(columns, rows, style, (_, column) => (column === 2 ? 'cyan' : column === 3 ? 'dim' : undefined)),
      '',
    ]
  })
