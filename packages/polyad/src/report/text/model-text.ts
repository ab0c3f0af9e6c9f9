import type { Model } from '@polyad/core'
import { reader } from '@polyad/core/options'
import { count, counted, fixed, percent } from '../numbers.ts'
import { classesText } from './classes-text.ts'
import { shapeText } from './fit-text.ts'
import { profileTable } from './profile-table.ts'
import { type Sections, structureText } from './structure-text.ts'
import { clip, type Page, padEnd } from './text-table.ts'

/** A model for the terminal: its classes, every mode's profile by class, and how it came about. */
export const modelText = (
  path: string,
  model: Model,
  run: Readonly<Record<string, unknown>>,
  { labels, marks }: { readonly labels: number; readonly marks: number },
  page: Page,
): string[] => {
  const { style } = page
  const shape = shapeText(model.modes.map(({ size }) => size))
  return [
    '',
    `${style('bold', path)}   ${counted(model.rank, 'class', 'classes')}, ${counted(model.modes.length, 'variable')} (${shape}), total ${count(model.total)}`,
    '',
    ...(marks === 0 ? [] : classesText(model, page, { limit: marks })),
    ...profileTable(model, { labels, modes: model.modes.length }, page),
    '',
    ...sectionsOf(run, page),
    ...recordText(run, page),
  ]
}

/** What the file says of covariates, groups and joined modes: it is what the fit said, if it is that. */
const sectionsOf = ({ result }: Readonly<Record<string, unknown>>, page: Page): string[] => {
  try {
    return structureText((result ?? {}) as Sections, page)
  } catch {
    return []
  }
}

/** How the model came about, as far as its file says. */
const recordText = (run: Readonly<Record<string, unknown>>, { style }: Page): string[] => {
  const { program, programVersion, command } = run
  const [options, source, result] = [run.options, run.source, run.result].map(reader.fieldsOf)
  const entries: [string, string][] = []
  if (command !== undefined) entries.push(['made by', `${program} ${programVersion}, ${command}`])
  const files = source.files
  if (Array.isArray(files)) entries.push(['from', files.join(', ')])
  if (typeof source.sql === 'string') entries.push(['query', source.sql])
  if (Object.keys(options).length > 0) {
    entries.push([
      'options',
      Object.entries(options)
        .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
        .join(', '),
    ])
  }
  if (typeof result.loss === 'number') entries.push(['loss', fixed(result.loss, 6)])
  if (typeof result.logLikelihood === 'number') entries.push(['log-likelihood', fixed(result.logLikelihood, 6)])
  if (typeof result.accuracy === 'number') entries.push(['accuracy', `${percent(result.accuracy)} by cross-validation`])
  const verdict = reader.fieldsOf(result.verdict)
  if (typeof verdict.text === 'string') entries.push(['solution', verdict.text])
  const updates: unknown = run.updates
  if (Array.isArray(updates) && updates.length > 0) {
    const { added, decay } = (updates.at(-1) ?? {}) as { readonly added?: number; readonly decay?: number }
    entries.push([
      'updated',
      `${counted(updates.length, 'time')}, last with ${count(Number(added))} observations (decay ${decay})`,
    ])
  }
  if (entries.length === 0) return [style('dim', 'The file does not record how the model was fitted.')]
  return [
    style('bold', 'how it was fitted'),
    // Nothing in a file moves the cursor; long lines are folded.
    ...entries.map(([key, text]) => `  ${style('dim', padEnd(key, 14))}  ${clip(text, 2000)}`),
  ]
}
