import { OptionError } from '../../errors.ts'
import { modelOver } from '../../model/align.ts'
import { isNumber } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import { mostProbable } from '../../model/posterior.ts'
import { isLinked, linkCovariates } from '../../model/structures/linked.ts'
import { type Label, labelOf, labelsOf, MISSING, Mode, sortLabels } from '../../tensor/mode.ts'
import { entryOf, type Row } from '../../tensor/rows.ts'
import { linkedClasses } from './linked-classes.ts'

/** Probabilities of classes, and the most probable one, counted from 0. */
export interface ClassPosterior {
  readonly probabilities: readonly number[]
  readonly class: number
  readonly probability: number
}

/** The class of a row, given all rows of its person or group. */
export interface LinkedRowClass extends ClassPosterior {
  /** Of all answers of the person or group. */
  readonly logLikelihood: number
  /** The position of the row's person or group in `persons` or `groups`; undefined for a row without a wave. */
  readonly unit: number | undefined
}

/** The classes of a person at every wave up to the last one with a row. */
export interface PersonClasses {
  /** Undefined if the row does not say whose it is. */
  readonly person: Label | undefined
  /** One for each wave. */
  readonly waves: readonly ClassPosterior[]
  /** The most probable sequence of classes, counted from 0: it may differ from the most probable class of each wave. */
  readonly path: readonly number[]
}

/** The class of a group. */
export interface GroupClass extends ClassPosterior {
  readonly group: Label | undefined
}

/** The classes of rows that belong together. */
export interface ClassifiedUnits {
  readonly rows: readonly LinkedRowClass[]
  readonly persons?: readonly PersonClasses[]
  readonly groups?: readonly GroupClass[]
  /** The log-likelihood of all rows. */
  readonly logLikelihood: number
}

/**
 * The classes of rows that belong together, given all rows of each person or group. Persons and groups need not be those of the fit, and may lack waves and
 * answers. A category or a wave that the model has never seen counts as missing; who lacks a covariate has the mean sizes and transitions of the model.
 * @example
 * const waves = ['before', 'after']
 * const structure = new ChainStructure({ person: 'id', time: 'wave', waves, initial: [0.5, 0.5], transitions: [[[0.9, 0.1], [0.3, 0.7]]] })
 * const panel = new Model(model.modes, { rank: 2, sizes: Float64Array.from(model.sizes), factors: model.parameters.factors }, undefined, structure)
 * const { persons } = classifyRows(panel, [{ id: 'Ann', wave: 'before', vote: 'yes' }, { id: 'Ann', wave: 'after', vote: 'none' }])
 * persons?.[0].path.length // 2
 */
export const classifyRows = (fitted: Model, rows: readonly Row[]): ClassifiedUnits => {
  const { structure } = fitted
  if (!isLinked(structure))
    throw new OptionError(
      'model',
      'must be of persons over time or of groups; other models classify rows one by one',
      structure.kind,
    )
  const labelsIn = (name: string, n: number) => rows.map(row => labelOf(entryOf(row, name, n)))
  const model = withNumbers(fitted, labelsIn)
  const codes = model.modes.map((mode, n) => codesIn(mode, labelsIn(mode.name, n)))
  const ofUnit = labelsIn(structure.kind === 'chain' ? structure.person : structure.within, -1)
  const unitLabels = new Map<string, number>()
  const units = Int32Array.from(ofUnit, label => {
    if (label === undefined) return MISSING
    const known = unitLabels.get(String(label)) ?? unitLabels.size
    unitLabels.set(String(label), known)
    return known
  })
  const waves =
    structure.kind === 'chain'
      ? { waves: codesIn(new Mode(structure.time, structure.waves), labelsIn(structure.time, -1)) }
      : {}
  const given = linkCovariates(structure).map(({ name, labels, numeric }) => {
    const own = labelsIn(name, -1)
    return numeric
      ? Float64Array.from(own, label => (label === undefined || label === '' ? Number.NaN : Number(label)))
      : codesIn(new Mode(name, labels), own)
  })
  const nameOf = [...unitLabels.keys()]
  const found = linkedClasses(model, { codes, units, names: unit => nameOf[unit], ...waves, given })
  const { rank } = model
  const names = new Array<Label | undefined>(found.unitCount).fill(undefined)
  found.units.forEach((unit, row) => {
    if (unit >= 0) names[unit] = ofUnit[row]
  })
  return Object.freeze({
    rows: rows.map((_, row) => ({
      ...posteriorAt(found.posteriors, row, rank),
      logLikelihood: found.logLikelihoods[row],
      unit: found.units[row] < 0 ? undefined : found.units[row],
    })),
    logLikelihood: found.logLikelihood,
    ...(structure.kind === 'chain'
      ? {
          persons: names.map((person, unit) => ({
            person,
            waves: Array.from(found.paths![unit], (_, t) => posteriorAt(found.waves![unit], t, rank)),
            path: [...found.paths![unit]],
          })),
        }
      : {
          groups: names.map((group, unit) => ({
            group,
            ...posteriorAt(found.groups!, unit, structure.groupSizes.length),
          })),
        }),
  })
}

const posteriorAt = (posteriors: Float64Array, at: number, classes: number): ClassPosterior => {
  const probabilities = [...posteriors.subarray(at * classes, (at + 1) * classes)]
  const best = mostProbable(probabilities)
  return { probabilities, class: best, probability: probabilities[best] }
}

/** The position of every label; what the mode does not have is missing. */
const codesIn = (mode: Mode, labels: readonly (Label | undefined)[]): Int32Array =>
  Int32Array.from(labels, label => (label === undefined ? MISSING : (mode.indexOf(label) ?? MISSING)))

/** A model whose numbers have the values of the rows too. */
const withNumbers = (model: Model, labelsIn: (name: string, n: number) => readonly (Label | undefined)[]): Model => {
  const modes = model.modes.map((mode, n) => {
    const item = model.items[n]
    if (item === undefined || !isNumber(item.spec)) return mode
    const added = labelsIn(mode.name, n).filter(
      (label): label is number => typeof label === 'number' && mode.indexOf(label) === undefined,
    )
    return added.length === 0
      ? mode
      : new Mode(mode.name, sortLabels([...new Set([...labelsOf(mode), ...added])]), mode.ordered)
  })
  return modes.every((mode, n) => mode === model.modes[n]) ? model : modelOver(modes, model)
}
