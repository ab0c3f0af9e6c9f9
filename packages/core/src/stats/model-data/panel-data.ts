import { defined } from '../../defined.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import type { ChainStructure } from '../../model/structures/chain.ts'
import { type Label, labelsOf, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, selectCells } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, term, words } from '../../wording.ts'
import { carriedValues, firstValues, linkEffect } from './link-effects.ts'
import { covariateColumn, covariateNames, type LinkCovariates, type LinkedData, linkedRows } from './linked-data.ts'
import type { FreeVariable } from './specification.ts'
import { splitModes } from './split-modes.ts'
import { timeOrder } from './time-order.ts'
import { waveNotes } from './wave-notes.ts'
import { longTable, WIDE } from './wide-data.ts'

/** More waves than this are taken for a mistake, such as a time of day. */
const MOST_WAVES = 200

/** What a model of persons over time may have, whatever the form of the table. */
export interface ChainOptions extends LinkCovariates {
  /** Whether every step has transitions of its own ('free', default) or all have the same. */
  readonly transitions?: 'free' | 'same'
  /** Modes that explain the transitions: of a row, the transition to its wave. */
  readonly transitionCovariates?: readonly string[]
  /** A mode of known groups, which explains both the class at the first wave and the transitions. */
  readonly groups?: string
  /** Whether a part of the persons, which is not known, never changes. */
  readonly stayers?: boolean
  /** Variables whose probabilities differ between waves. */
  readonly free?: readonly FreeVariable[]
}

/** How waves of persons are found in a table with a row for each person and wave. */
export interface PanelOptions extends ChainOptions {
  /** The mode of persons. */
  readonly person: string
  /** The mode of waves, in the order of its labels. */
  readonly time: string
}

/** Waves in columns: a pattern with one star for each wave, as in `*_t1`. */
export interface WideOptions extends ChainOptions {
  readonly waves: readonly string[]
}

/** How rows are brought into the form of a model that is there. */
export interface PanelPlaces {
  /** Of sampling weights, for every cell the sum of their squares. */
  readonly squares?: Float64Array | undefined
  /** Whether persons with equal rows are one, who counts as all of them. */
  readonly merged?: boolean
  /** The model: the data may lack some of its waves. */
  readonly known?: Pick<ChainStructure, 'waves' | 'starting' | 'moving'> | undefined
  /** Whether rows without answers count too, and persons who lack a covariate, as they do if they are to be classified. */
  readonly every?: boolean
}

/** The waves of persons whose rows have all waves. */
export const wideData = (
  tensor: Tensor,
  { waves, ...options }: WideOptions,
  { squares, ...places }: PanelPlaces = {},
): LinkedData => {
  const { covariates, transitionCovariates, groups } = options
  // A covariate that is in columns of waves is one of the variables that these make.
  const names = covariateNamesIn(tensor, covariates, transitionCovariates, groups)
  const long = longTable(tensor, waves, names, squares)
  const found = panelData(long.tensor, { ...WIDE, ...options }, { squares: long.squares, merged: true, ...places })
  return { ...found, wide: waves, notes: [...long.notes, ...found.notes] }
}

const covariateNamesIn = (tensor: Tensor, ...lists: readonly (readonly string[] | string | undefined)[]): string[] => {
  const texts = lists.flatMap(list => list ?? [])
  return tensor.modes.flatMap(({ name }) =>
    texts.some(text => text === name || text.split('*').some(part => part.trim() === name)) ? [name] : [],
  )
}

/**
 * The waves of persons. A person may lack waves; those before the first answer count, since chains begin at the first wave.
 * @example
 * const interviews = tensorFromRows([{ id: 'Ann', wave: 1, vote: 'yes' }, { id: 'Ann', wave: 2, vote: 'no' }])
 * panelData(interviews, { person: 'id', time: 'wave' }).observations // 1
 */
export const panelData = (given: Tensor, options: PanelOptions, places: PanelPlaces = {}): LinkedData => {
  const { person, time, transitions = 'free', stayers, groups, free = [], ...explaining } = options
  const { covariates, transitionCovariates, categories = [], ...entering } = explaining
  const { squares, merged = false, known, every = false } = places
  if (person === time) throw new OptionError('time', words`must be another ${term('mode')} than the person`, time)
  const ofClass = free.find(each => each.class !== undefined)
  if (ofClass !== undefined)
    throw new OptionError(
      'free',
      `cannot name a class (${ofClass.mode} in class ${ofClass.class}): the variable differs between waves in every class`,
    )
  for (const { mode } of free) modeNamed(given, mode, 'free')
  const splits = free.map(({ mode }) => ({ mode, columns: [[time]] }))
  modeNamed(given, time, 'time')
  const { tensor, parts } = splitModes(given, splits)
  const both = groups === undefined ? [] : [groups]
  const namesOf = (list: readonly string[], of: NonNullable<PanelPlaces['known']>['starting']) =>
    of?.given.map(({ name }) => name) ?? (known === undefined ? covariateNames(tensor, list) : [])
  const atFirst = namesOf([...(covariates ?? []), ...both], known?.starting)
  const atSteps = namesOf([...(transitionCovariates ?? []), ...both], known?.moving)
  const beside = [...new Set([...atFirst, ...atSteps])]
  const { rows, items, cells, dropped, source } = linkedRows(tensor, [person, time], time, beside)
  const units = rows.modes[modeNamed(rows, person, 'person')]
  const ofPerson = rows.indices[modeNamed(rows, person, 'person')]
  const { waves, ofWave, notes } = wavesIn(rows, time, known?.waves)
  checkWaves(time, waves)
  if (stayers === true && known === undefined && waves.size < 3)
    throw new OptionError(
      'stayers',
      `needs three waves or more: in two, persons who never change look like those who did not (there are ${waves.size} waves)`,
    )
  const last = new Int32Array(units.size).fill(-1)
  for (let row = 0; row < rows.cells; row++)
    if (every || cells[row] !== MISSING) last[ofPerson[row]] = Math.max(last[ofPerson[row]], ofWave[row])
  const persons = Int32Array.from(Array.from(last, (_, p) => p).filter(p => last[p] >= 0))
  const place = new Int32Array(units.size)
  const starts = new Int32Array(persons.length + 1)
  persons.forEach((p, unit) => {
    place[p] = unit
    starts[unit + 1] = starts[unit] + last[p] + 1
  })
  const sources = new Int32Array(starts[persons.length]).fill(MISSING)
  const patterns = new Int32Array(sources.length).fill(MISSING)
  const weights = new Float64Array(persons.length)
  const squared = squares && new Float64Array(persons.length)
  for (let row = 0; row < rows.cells; row++) {
    if (last[ofPerson[row]] < ofWave[row]) continue
    const unit = place[ofPerson[row]]
    const at = starts[unit] + ofWave[row]
    const who = `person ${show(units.label(ofPerson[row]))}`
    const wave = `wave ${show(waves.label(ofWave[row]))}`
    if (sources[at] !== MISSING)
      throw new DataError(
        `${who} has two rows in ${wave}: a person has one row for each wave; remove one, or check the column of persons`,
      )
    if (weights[unit] !== 0 && Math.abs(rows.values[row] - weights[unit]) > 1e-9 * weights[unit])
      throw new DataError(
        `${who} counts ${rows.values[row]} in ${wave} and ${weights[unit]} in another wave: a row occurs twice, or weights differ; a person has one row for each wave, with the same weight in all`,
      )
    weights[unit] = rows.values[row]
    if (squared !== undefined) squared[unit] = squares![source[row]]
    sources[at] = row
    patterns[at] = cells[row]
  }
  const isRead = known === undefined && !every
  const parted = new Set(parts.map(({ name }) => name))
  const asked = merged ? [] : items.modes.map(({ name }) => name).filter(name => !parted.has(name))
  const more = isRead ? waveNotes({ person, time }, { rows, ofWave, waves, starts, patterns, asked }) : []
  // Those of the data average 1 over its rows, of which persons have different numbers.
  if (squared !== undefined && !merged) averageOne(weights, squared)
  const columnOf = (name: string, of: NonNullable<PanelPlaces['known']>['starting']) => {
    const { mode, column } = covariateColumn(
      rows,
      name,
      of?.given.find(each => each.name === name),
    )
    return { mode, at: (row: number) => (sources[row] === MISSING ? MISSING : column[sources[row]]) }
  }
  const first = atFirst.map(name => columnOf(name, known?.starting))
  const steps = atSteps.map(name => columnOf(name, known?.moving))
  const firstColumns = first.map(({ at }) => firstValues(starts, at))
  const stepColumns = steps.map(({ at }) => carriedValues(starts, at))
  const isLacking = (unit: number) =>
    firstColumns.some(values => values[unit] === MISSING) ||
    stepColumns.some(values => values[starts[unit + 1] - 1] === MISSING)
  const lacking = new Set(Array.from(persons, (_, unit) => unit).filter(isLacking))
  if (lacking.size > 0 && !every)
    return withoutPersons(
      given,
      options,
      places,
      units,
      Array.from(lacking, unit => persons[unit]),
    )
  const coded = { ...entering, categories: [...categories, ...both] }
  const starting =
    first.length === 0
      ? undefined
      : linkEffect(
          'initial',
          { modes: first.map(({ mode }) => mode), columns: firstColumns, weights },
          { ...coded, covariates: [...(covariates ?? []), ...both] },
          { sets: 1, setOf: () => 0 },
          known?.starting,
        )
  const waveOf = new Int32Array(sources.length)
  const rowWeights = new Float64Array(sources.length)
  persons.forEach((_, unit) => {
    for (let row = starts[unit]; row < starts[unit + 1]; row++) {
      waveOf[row] = row - starts[unit]
      rowWeights[row] = weights[unit]
    }
  })
  const isSame = transitions === 'same'
  const moving =
    steps.length === 0
      ? undefined
      : linkEffect(
          'transitions',
          { modes: steps.map(({ mode }) => mode), columns: stepColumns, weights: rowWeights },
          { ...coded, covariates: [...(transitionCovariates ?? []), ...both] },
          { sets: isSame ? 1 : waves.size - 1, setOf: row => (waveOf[row] === 0 ? -1 : isSame ? 0 : waveOf[row] - 1) },
          known?.moving,
        )
  return {
    items,
    links: {
      kind: 'chain' as const,
      waves: waves.size,
      same: isSame,
      ...(stayers === true && { stayers }),
      ...defined({ starting: starting?.link, moving: moving?.link }),
      rows: { weights, starts, cells: patterns, ...(squared !== undefined && { squares: squared }) },
    },
    units,
    labels: persons,
    time: waves,
    sources,
    observations: weights.reduce((sum, weight) => sum + weight, 0),
    dropped,
    effects: [starting, moving].filter(each => each !== undefined),
    ...(parts.length > 0 && { splits: free.map(({ mode }) => ({ mode })), parts }),
    notes: [...notes, ...more],
  }
}

/** Divides sampling weights of persons by their mean. */
const averageOne = (weights: Float64Array, squares: Float64Array): void => {
  const persons = weights.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0)
  const scale = persons / weights.reduce((sum, weight) => sum + weight, 0)
  // Rounding of weights that average 1 already is left as it is.
  if (!(Math.abs(scale - 1) > 1e-9)) return
  weights.forEach((weight, unit) => {
    weights[unit] = weight * scale
    squares[unit] *= scale * scale
  })
}

/** The same without persons who lack a covariate. */
const withoutPersons = (
  tensor: Tensor,
  options: PanelOptions,
  { squares, ...places }: PanelPlaces,
  units: Mode,
  lacking: readonly number[],
): LinkedData => {
  const names = new Set(lacking.map(p => String(units.label(p))))
  const n = modeNamed(tensor, options.person, 'person')
  const column = tensor.indices[n]
  const stays = (cell: number) => column[cell] === MISSING || !names.has(String(tensor.modes[n].label(column[cell])))
  const rest = selectCells(tensor, stays)
  if (rest.cells === 0) throw new DataError('every person lacks a covariate: there is nothing to fit')
  const found = panelData(rest, options, { ...places, squares: squares?.filter((_, cell) => stays(cell)) })
  return { ...found, dropped: found.dropped + tensor.total - rest.total }
}

const checkWaves = (time: string, waves: Mode): void => {
  if (waves.size < 2)
    throw new DataError(
      words`${show(time)} has one wave only (${show(waves.label(0))}): change needs two; without ${mention('person')} and ${mention('time')} this is an ordinary fit`,
    )
  if (waves.size > MOST_WAVES)
    throw new DataError(
      words`${show(time)} has ${String(waves.size)} different values, and at most ${String(MOST_WAVES)} waves are possible: cut it with ${mention('bins')}`,
    )
}

/** The waves, and the position of every row's wave among them. */
const wavesIn = ({ modes, indices }: Tensor, time: string, known: readonly Label[] | undefined) => {
  const n = modeNamed({ modes }, time, 'time')
  const own = labelsOf(modes[n])
  const { order, notes } = known === undefined ? timeOrder(modes[n]) : { order: undefined, notes: [] }
  if (known === undefined && order === undefined) return { waves: modes[n], ofWave: indices[n], notes }
  const waves = new Mode(time, known ?? order!.map(j => own[j]), modes[n].ordered)
  const positions = own.map(label => {
    const position = waves.indexOf(label)
    if (position === undefined)
      throw new DataError(
        `the data has wave ${show(label)} in ${show(time)}, and the model knows ${known!.map(show).join(', ')}`,
      )
    return position
  })
  return { waves, ofWave: indices[n].map(index => positions[index]), notes }
}
