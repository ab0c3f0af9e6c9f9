import type { Model, StandardErrors } from '@polyad/core'
import { defined, reader } from '@polyad/core/options'
import {
  type EffectFigures,
  type LinkedFigures,
  type ProbabilityFigure,
  structureFigures,
} from '../figures/linked-figures.ts'
import { waldTest } from './read-structure.ts'

/** What a record says of persons over time, and of classes of groups. */

const { fieldsAmong, finite, label, list, optional, orNull, tried, vector } = reader
const text = reader.text()

const figure = fieldsAmong<ProbabilityFigure>({
  probability: finite,
  standardError: orNull(finite),
  interval: orNull(vector(2, finite)),
})

const effect = fieldsAmong<EffectFigures>({
  on: reader.oneOf(['initial', 'transitions', 'groups', 'mixes']),
  reference: orNull(finite),
  covariates: list(text),
  coefficients: list(
    fieldsAmong<EffectFigures['coefficients'][number]>({
      from: orNull(finite),
      class: finite,
      stays: orNull(reader.flag),
      term: text,
      of: orNull(finite),
      estimate: finite,
      limit: text,
      standardError: orNull(finite),
      z: orNull(finite),
      pValue: orNull(finite),
      oddsRatio: orNull(finite),
      interval: orNull(vector(2, orNull(finite))),
    }),
  ),
  tests: list(fieldsAmong<EffectFigures['tests'][number]>({ covariate: text, test: waldTest })),
})

/** What a record says of rows that belong together; null if they do not, or if it cannot be read. */
export const linkedOf = (result: Readonly<Record<string, unknown>>, rank: number): LinkedFigures | null => {
  const figures = vector(rank, figure)
  const read = tried(
    fieldsAmong<LinkedFigures>({
      persons: optional(finite),
      waves: optional(
        list(
          fieldsAmong<NonNullable<LinkedFigures['waves']>[number]>({
            wave: label,
            persons: optional(finite),
            sizes: figures,
          }),
        ),
      ),
      initial: optional(figures),
      transitions: optional(
        list(
          fieldsAmong<NonNullable<LinkedFigures['transitions']>[number]>({
            from: orNull(label),
            to: orNull(label),
            probabilities: vector(rank, figures),
          }),
        ),
      ),
      groupClasses: optional(
        fieldsAmong<NonNullable<LinkedFigures['groupClasses']>>({
          within: text,
          groups: optional(finite),
          sizes: list(figure),
          mixes: list(figures),
        }),
      ),
      stayers: optional(fieldsAmong<NonNullable<LinkedFigures['stayers']>>({ share: figure, sizes: figures })),
      effects: optional(list(effect)),
      unlinked: optional(finite),
    }),
    result,
  )
  return read?.transitions === undefined && read?.groupClasses === undefined ? null : read
}

/**
 * Persons over time and classes of groups of a model: with standard errors that were computed just now, or as its record has them. Those of a record are not of
 * a model that was changed since.
 */
export const linkedFiguresFor = (
  model: Model,
  recorded: LinkedFigures | null,
  updates: number,
  errors?: StandardErrors | undefined,
): LinkedFigures | null => {
  const figures = structureFigures(model, errors, {
    ...defined({ persons: recorded?.persons, groups: recorded?.groupClasses?.groups }),
    ...(recorded?.waves?.every(({ persons }) => persons !== undefined) && {
      rowsAt: recorded.waves.map(({ persons }) => persons as number),
    }),
  })
  if (figures.transitions === undefined && figures.groupClasses === undefined) return null
  const isFresh = errors?.chain !== undefined || errors?.nested !== undefined
  return isFresh || recorded === null || updates > 0 ? figures : recorded
}
