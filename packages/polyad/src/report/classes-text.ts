import { classMarks, type Model } from '@polyad/core'
import { bar, lift, percent } from './numbers.ts'
import { type Page, textTable } from './text-table.ts'

/** What a class is called: its own name, or its number from 1. */
export const className = ({ classNames }: Model, k: number): string => classNames?.[k] ?? `${k + 1}`

/** The classes with their shares and marks, for the terminal. */
export const classesText = (model: Model, page: Page, limit = 8): string[] =>
  model.shares.flatMap((share, k) => {
    const { style } = page
    const name = model.classNames === undefined ? `class ${k + 1}` : className(model, k)
    const title = `${style('bold', name)}   ${style('bold', percent(share))}`
    const marks = classMarks(model, k, limit)
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
      ...textTable(columns, rows, page, (_, column) => (column === 2 ? 'cyan' : column === 3 ? 'dim' : undefined)),
      '',
    ]
  })
