import { existsSync, readFileSync, rmSync } from 'node:fs'
import { DataError, type Label, type ModeOptions, type Tensor } from '@polyad/core'
import { reader } from '@polyad/core/options'
import { readBytes } from '../relation/files.ts'

/** The names and labels of a .tns file, which has room for numbers only: a file of JSON beside it. */

const FORMAT = 'polyad-labels'

/** `x.labels.json` for `x.tns` and `x.tns.gz`. */
export const labelsPath = (path: string): string => `${path.replace(/\.gz$/i, '').replace(/\.tns$/i, '')}.labels.json`

/** What is written beside: undefined where the indices say all there is to say. */
export const labelsText = ({ modes }: Pick<Tensor, 'modes'>): string | undefined => {
  const plain = modes.every(
    ({ name, labels }, n) =>
      name === `mode${n + 1}` && (labels === undefined || labels.every((label, j) => label === j + 1)),
  )
  if (plain) return undefined
  const entries = modes.map(({ name, size, labels, ordered }) => ({
    name,
    labels: labels ?? Array.from({ length: size }, (_, j) => j),
    ordered,
  }))
  return `${JSON.stringify({ format: FORMAT, modes: entries })}\n`
}

/** The names and labels beside a .tns file; undefined where there are none. */
export const readLabels = (path: string): readonly (ModeOptions & { labels: readonly Label[] })[] | undefined => {
  const beside = labelsPath(path)
  if (!existsSync(beside)) return undefined
  const { format, modes: found } = reader.fieldsOf(reader.json(readBytes(beside), beside))
  return format === FORMAT ? reader.usable(`${beside}:`, () => modes(found, 'modes')) : undefined
}

const modes = reader.list(
  reader.fields({
    name: reader.text(),
    labels: reader.labels(),
    ordered: (value: unknown) => value === true,
  }),
)

/** Removes the labels beside a .tns file, if the file there is one of labels. */
export const removeLabels = (path: string): void => {
  const beside = labelsPath(path)
  if (existsSync(beside) && readFileSync(beside, 'utf8').includes(FORMAT)) rmSync(beside)
}

/** Refuses labels that belong to another tensor. */
export const checkLabels = (
  path: string,
  labels: readonly { labels: readonly Label[] }[],
  sizes: readonly number[],
): void => {
  const fits = labels.length === sizes.length && labels.every((mode, n) => mode.labels.length >= sizes[n])
  if (fits) return
  const have = labels.map(mode => mode.labels.length).join('×')
  throw new DataError(
    `${labelsPath(path)} does not fit ${path}: it has labels for ${have}, and the indices need ${sizes.join('×')}; remove it, or correct it`,
  )
}
