import type { Item } from '@polyad/core'
import type { Recode } from 'polyad/table'
import type { FitRequest, ReadOptions } from '../../worker/protocol.ts'

/** What a person has chosen. It is one plain value: undo, storage and files take it whole. */

export const ROLES = [
  'mode',
  'count',
  'weight',
  'cluster',
  'strata',
  'class',
  'covariate',
  'person',
  'time',
  'group',
  'ignore',
] as const

/** What a column is used as. */
export type Role = (typeof ROLES)[number]

export const VARIANCES = ['free', 'equal'] as const

export interface ColumnChoice {
  /** Where it is not what is proposed. */
  readonly role?: Role
  /** What it is taken for as a variable, where that is no category: a scale, a number or a count. */
  readonly item?: Item
  /** How numbers or dates are cut, as after the column's name in --bin: 0.5, q5, int, month; empty where it is not cut though that is proposed. */
  readonly bin?: string
  /** Its own codes for missing values. */
  readonly missing?: readonly string[]
  /** Categories that are merged or renamed. */
  readonly recode?: readonly Recode[]
  /** All of its categories in the order that was given. */
  readonly order?: readonly string[]
  /** Its label, if it is not that of the file, and the labels of its values. */
  readonly title?: string
  readonly texts?: Readonly<Record<string, string>>
}

/** What the classes of a model are called, and their colours; null where it is the usual one. */
export interface ClassStyle {
  readonly names: readonly (string | null)[]
  readonly colours: readonly (string | null)[]
}

export interface Settings extends Required<Pick<ReadOptions, 'missing' | 'trim' | 'ignoreCase'>> {
  readonly columns: Readonly<Record<string, ColumnChoice>>
  /** The zone by whose clocks points in time are cut; UTC where none is chosen. */
  readonly timeZone?: string | null
  /** What rows must meet to be used; all are where it is empty. */
  readonly where?: string | null
  /** Labels of a mode that are kept; the rest become one. */
  readonly top: number | null
  readonly fit: Omit<FitRequest, 'covariates' | 'items' | 'links' | 'line'> & {
    /** Whether the standard deviations of a number are the same in all classes; free by default. */
    readonly variances?: (typeof VARIANCES)[number]
    /** Whether transitions between waves are the same at every step; free by default. */
    readonly sameTransitions?: boolean
    /** Whether covariates predict transitions too, and whether a part of the persons never changes. */
    readonly movingCovariates?: boolean
    readonly stayers?: boolean
    /** How many classes groups have. */
    readonly groupClasses?: number
  }
  /** By rank. */
  readonly classes: Readonly<Record<number, ClassStyle>>
}

export const DEFAULTS: Settings = {
  columns: {},
  missing: [],
  trim: false,
  ignoreCase: false,
  top: null,
  fit: { from: 1, to: 6, seed: 1, prior: 0, smoothing: null, maxSeconds: null },
  classes: {},
}
