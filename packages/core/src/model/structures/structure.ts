import type { Label } from '../../tensor/mode.ts'

/** A column of a row, beside the items, by which its classes are more or less probable. */
export interface GivenColumn {
  readonly name: string
  /** The values that the model was fitted to. */
  readonly labels: readonly Label[]
  /** Whether it enters as a number. */
  readonly numeric: boolean
}

/** A mode of a model that only rows with some labels have: a part of a variable whose probabilities depend on given columns. */
export interface SplitPart {
  /** The variable that it is a part of. */
  readonly mode: string
  readonly name: string
  readonly where: readonly { readonly column: string; readonly label: Label }[]
}

/** A variable whose probabilities depend on columns, and in which classes on which of them. */
export interface Split {
  readonly mode: string
  /** One for each class: the columns that its probabilities depend on. */
  readonly columns: readonly (readonly string[])[]
}

/** How probable the classes of a row are before its items are seen. */
export interface RowPrior {
  readonly probabilities: Float64Array
  /** Columns without a usable value; the probabilities are then the class sizes. */
  readonly lacking: readonly string[]
}

/** What decides the classes of a row before its items are seen. */
export interface HiddenStructure {
  readonly kind: string
  /** The columns of a row that it needs besides the items. */
  readonly given: readonly GivenColumn[]
  /** The variables whose probabilities depend on given columns too. */
  readonly splits?: readonly Split[]
  /** The modes of the model that these variables have become. */
  readonly parts?: readonly SplitPart[]
  /** @param value of a given column @param sizes the class sizes of the model, as parts of the whole */
  prior(value: (column: string) => unknown, sizes: Float64Array): RowPrior
}
