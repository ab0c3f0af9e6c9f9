import type { Constraints } from '@polyad/core'
import { is, type Read, reader } from '@polyad/core/options'

const { by, fieldsOf, list, numbers, object, text, tried } = reader

/** What a model file says of its fit, by which rows are read and the model is used. What is not as it should be is left out. */
export interface RecordedFit {
  readonly command: string | undefined
  /** The options of the fit, as they were given. */
  readonly options: Readonly<Record<string, unknown>>
  readonly constraints: Constraints | undefined
  /** The column of classes that a supervised model learned from. */
  readonly class: string | undefined
  /** The columns by which its data was counted, weighed and drawn. */
  readonly count: string | undefined
  readonly weights: string | undefined
  readonly cluster: string | undefined
  readonly stratum: string | undefined
  /** The column of groups that is a mode of the model. */
  readonly group: string | undefined
  /** Whether rows were left out in which anything was missing, and what the others had to meet. */
  readonly complete: boolean
  readonly where: string | undefined
  /** How many observations there were, and how many answered with each label of each mode. */
  readonly total: number | undefined
  readonly answered: readonly (readonly number[])[] | undefined
  /** Of persons over time and of groups: how much of the data each entry of the tables has. */
  readonly counts: readonly number[] | undefined
  /** The modes that not every observation answered. */
  readonly missing: readonly string[]
  /** What has changed the model since. */
  readonly updates: readonly unknown[]
}

const positive: Read<number> = by(is.positive)
const anything: Read<unknown> = value => value

/**
 * What the record of a model says of its fit.
 * @param run what the file keeps besides the model
 * @example
 * const { count, missing } = recordedFit({ source: { count: 'n' }, missing: ['age'] })
 * missing // ['age']
 */
export const recordedFit = (run: Readonly<Record<string, unknown>>): RecordedFit => {
  const [options, source, result] = [run.options, run.source, run.result].map(fieldsOf)
  const known = <T>(read: Read<T>, value: unknown): T | undefined => tried(read, value) ?? undefined
  const named = (value: unknown) => known(text(), value)
  return {
    command: named(run.command),
    options,
    constraints: known(object, options.constraints),
    class: named(options.class),
    count: named(source.count),
    weights: named(source.weights),
    cluster: named(options.cluster),
    stratum: named(options.stratum),
    group: named(fieldsOf(result.groups).mode),
    complete: options.complete === true,
    where: named(source.where),
    total: known(positive, result.total),
    answered: known(list(numbers()), result.answered),
    counts: known(numbers(), result.counts),
    missing: known(list(text()), run.missing) ?? [],
    updates: known(list(anything), run.updates) ?? [],
  }
}
