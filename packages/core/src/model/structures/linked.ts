import { OptionError } from '../../errors.ts'
import type { ChainStructure } from './chain.ts'
import type { NestedStructure } from './nested.ts'
import type { GivenColumn, HiddenStructure } from './structure.ts'

/** Those that link rows: the waves of a person, or the members of a group. */
export type LinkedStructure = ChainStructure | NestedStructure

/** What texts call them. */
export const LINKED_NAMES = { chain: 'persons over time', nested: 'groups' } as const

/** Whose rows belong together. */
export const LINKED_UNITS = { chain: 'persons', nested: 'groups' } as const

/**
 * Whether the class of a row depends on other rows.
 * @example
 * isLinked(model.structure) // false
 */
export const isLinked = (structure: HiddenStructure): structure is LinkedStructure =>
  structure.kind === 'chain' || structure.kind === 'nested'

/**
 * The covariates of linked rows: what is given of them, but their wave.
 * @example
 * isLinked(model.structure) && linkCovariates(model.structure) // false
 */
export const linkCovariates = (structure: LinkedStructure): readonly GivenColumn[] =>
  structure.kind === 'chain' ? structure.given.filter(({ name }) => name !== structure.time) : structure.given

/**
 * Throws an `OptionError` for models of linked rows, in functions that take rows one by one.
 * @example
 * checkSingleRows(model, 'update') // nothing links the rows of this model
 */
export const checkSingleRows = ({ structure }: { readonly structure: HiddenStructure }, owner: string): void => {
  if (isLinked(structure))
    throw new OptionError(
      'model',
      `is of ${LINKED_NAMES[structure.kind]}, and ${owner} takes rows one by one: it is not available for such models`,
    )
}
