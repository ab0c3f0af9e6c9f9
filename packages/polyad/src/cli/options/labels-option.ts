import { readCodebookFile } from '../../source/codebook-file.ts'
import { type Codebook, joinedCodebook, type Labels, labelsIn, withLabels } from '../../table/values/codebook.ts'
import type { CommandOption } from './definition.ts'

/** What people call variables and values. */
export const LABELS: CommandOption = {
  flags: '--labels <file>',
  text: 'codebook with the columns variable, value and label (CSV, Excel, …), or an SPSS or Stata file: results show its labels; off: show names and codes (default: labels of the data)',
  library: [],
}

export interface LabelsOptions {
  readonly labels?: string
}

/** Without labels. */
const OFF = 'off'

/** The codebook that was asked for, besides that of the data or the model. */
export const askedLabels = async ({ labels }: LabelsOptions): Promise<Codebook | typeof OFF | undefined> =>
  labels === undefined || labels === OFF ? labels : readCodebookFile(labels)

/** How results are shown. */
export const shownLabels = ({ labels: file }: LabelsOptions, codebook: Codebook | undefined): Labels =>
  labelsIn(file === OFF ? undefined : codebook)

/** Data with the labels that were asked for; they stay with the model even if they are not shown. */
export const withCodebook = async <T extends { readonly recipe: { readonly labels?: Codebook } }>(
  data: T,
  options: LabelsOptions,
): Promise<T> => {
  const asked = await askedLabels(options)
  if (asked === undefined || asked === OFF) return data
  const labels = joinedCodebook(data.recipe.labels, asked)
  return { ...data, recipe: { ...data.recipe, ...(labels !== undefined && { labels }) } }
}

/** A model with the labels that were asked for. */
export const labelledModel = async <T extends { readonly run: Readonly<Record<string, unknown>> }>(
  stored: T,
  options: LabelsOptions,
): Promise<T> => ({ ...stored, run: withLabels(stored.run, await askedLabels(options)) })
