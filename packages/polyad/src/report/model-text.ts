import type { Model } from '@polyad/core'
import { classesText, className } from './class-marks.ts'
import { count, counted, fixed, percent } from './numbers.ts'
import { type Style, textTable } from './text-table.ts'

/** A model for the terminal: its classes, every mode's profile by class, and how it came about. */
export const modelText = (
  path: string,
  model: Model,
  run: Readonly<Record<string, unknown>>,
  { labels, marks }: { readonly labels: number; readonly marks: number },
  style: Style,
): string[] => {
  const names = model.shares.map((_, k) => className(model, k))
  const shape = model.modes.map(({ size }) => size).join('×')
  return [
    '',
    `${style('bold', path)}   ${counted(model.rank, 'class', 'classes')}, ${counted(model.modes.length, 'mode')} (${shape}), total ${count(model.total)}`,
    '',
    ...(marks === 0 ? [] : classesText(model, style, marks)),
    ...profileTable(model, names, labels, style),
    '',
    ...recordText(run, style),
  ]
}

/** P[label | class] for every mode. */
export const profileTable = (model: Model, names: readonly string[], most: number, style: Style): string[] => {
  const rows: string[][] = [['share', '', ...model.shares.map(percent)]]
  for (const [n, mode] of model.modes.entries()) {
    const profiles = model.shares.map((_, k) => model.profile(n, k))
    const overall = model.marginal(n)
    // The most frequent labels are shown, in the order of the mode.
    const shown = [...overall.keys()].sort((a, b) => overall[b] - overall[a] || a - b).slice(0, most)
    const order = shown.sort((a, b) => a - b)
    order.forEach((j, i) => {
      rows.push([i === 0 ? mode.name : '', String(mode.label(j)), ...profiles.map(profile => fixed(profile[j], 4))])
    })
    if (mode.size > most) rows.push(['', `… ${counted(mode.size - most, 'more label')}`, ...names.map(() => '')])
  }
  return [
    style('bold', 'profiles') + style('dim', '   the probability of a label within a class'),
    ...textTable(
      [
        { title: '', most: 24 },
        { title: '', most: 28 },
        ...names.map(title => ({ title, align: 'right' as const, most: 16 })),
      ],
      rows,
      style,
      (row, column) => (column === 0 || row === 0 ? 'bold' : undefined),
    ),
  ]
}

/** What the file says of its own making, as far as it is told there. */
const recordText = (run: Readonly<Record<string, unknown>>, style: Style): string[] => {
  const { program, programVersion, command, options, source, result } = run as Record<
    string,
    Record<string, unknown> | undefined
  >
  const entries: [string, string][] = []
  if (command !== undefined) entries.push(['made by', `${program} ${programVersion}, ${command}`])
  const files = source?.files
  if (Array.isArray(files)) entries.push(['from', files.join(', ')])
  if (typeof source?.sql === 'string') entries.push(['query', source.sql])
  if (options !== undefined && Object.keys(options).length > 0) {
    entries.push([
      'options',
      Object.entries(options)
        .map(([key, value]) => `${key} ${value}`)
        .join(', '),
    ])
  }
  if (typeof result?.loss === 'number') entries.push(['loss', fixed(result.loss, 6)])
  if (typeof result?.logLikelihood === 'number') entries.push(['log-likelihood', fixed(result.logLikelihood, 6)])
  if (typeof result?.accuracy === 'number')
    entries.push(['accuracy', `${percent(result.accuracy)} by cross-validation`])
  const verdict = result?.verdict as { text?: unknown } | undefined
  if (typeof verdict?.text === 'string') entries.push(['optimum', verdict.text])
  if (entries.length === 0) return [style('dim', 'The file does not say how the model came about.')]
  return [
    style('bold', 'how it came about'),
    ...textTable([{ title: '' }, { title: '', most: 100 }], entries, style, (_, column) =>
      column === 0 ? 'dim' : undefined,
    ),
  ]
}
