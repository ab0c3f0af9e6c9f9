import type { Constraints } from '../../fit/descent/constraints.ts'
import type { PriorOptions } from '../../fit/descent/m-step.ts'
import type { Items } from '../../model/items/choices.ts'
import type { Label } from '../../tensor/mode.ts'

/** A variable whose probabilities may differ; with `class`, in that class only. */
export interface FreeVariable {
  readonly mode: string
  /** Counted from 1, as in the model in which they do not differ. */
  readonly class?: number
}

/** A direct effect: the probabilities of a variable depend on a covariate as well as on the class. */
export interface DirectEffect extends FreeVariable {
  readonly covariate: string
}

/** The structure of a model besides its classes. All parts can be combined. */
export interface Specification {
  /**
   * Modes of the data by which membership is explained, and which are then no answers: `'age'`, or `'age*party'` for both and their
   * interaction. A mode whose labels are numbers enters as a number; any other by one term for each label but the first.
   */
  readonly covariates?: readonly string[]
  /** Covariates whose labels are numbers, but are to be taken as categories. */
  readonly categories?: readonly string[]
  /** The reference category of a covariate, by its mode, as in `{ party: 'Independent' }`. Default: the first label. */
  readonly referenceCategories?: Readonly<Record<string, Label>>
  /** The mode of known groups: the sizes of the classes differ between them. */
  readonly groups?: string
  /** With groups: the variables whose probabilities may differ between them too. */
  readonly free?: readonly FreeVariable[]
  /** Effects of covariates with categories on variables. */
  readonly direct?: readonly DirectEffect[]
  /** The mode that says of some rows which class they are of. */
  readonly known?: string
  /** Lists of modes, each of which becomes one: within a class they may depend on each other. */
  readonly join?: readonly (readonly string[])[]
  /** What variables are taken for; those that are not named are categories. */
  readonly items?: Items
  /** Of variables, as they are after modes were joined. */
  readonly constraints?: Constraints
  readonly pseudoCounts?: NonNullable<PriorOptions['pseudoCounts']>
}
