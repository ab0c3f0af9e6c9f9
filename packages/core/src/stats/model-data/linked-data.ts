import { DataError, OptionError, show } from '../../errors.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { type Label, labelsOf, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels, selectCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, term, words } from '../../wording.ts'
import { longTable, WIDE } from './wide-data.ts'

/** More waves than this are taken for a mistake, such as a time of day. */
const MOST_WAVES = 200

/** How waves of persons are found in a table with a row for each person and wave. */
export interface PanelOptions {
  /** The mode of persons. */
  readonly person: string
  /** The mode of waves, in the order of its labels. */
  readonly time: string
  /** Whether every step has transitions of its own ('free', default) or all have the same. */
  readonly transitions?: 'free' | 'same'
}

/** How groups are found in a table with a row for each member. */
export interface NestedOptions {
  /** The mode of groups. */
  readonly within: string
  /** The number of classes that groups have. */
  readonly groupClasses: number
}

/** Rows that belong together, in the form of a model: what a model is fitted to, and what its statistics are computed from. */
export interface LinkedData {
  /** The distinct rows of answers. */
  readonly items: Tensor
  readonly links: LinkSetting
  /** The mode of persons or groups. */
  readonly units: Mode
  /** For every unit its label's position. */
  readonly labels: Int32Array
  /** The mode of waves; undefined for groups. */
  readonly time: Mode | undefined
  /** For every row of the links its cell of the tensor; MISSING for a wave without a row. */
  readonly sources: Int32Array
  /** Persons, or members of groups: the sample size of criteria. */
  readonly observations: number
  /** How much of the data lacks the person, the wave, the group, or all answers. */
  readonly dropped: number
  /** The patterns of the waves' columns, if the data had a row for each person. */
  readonly wide?: readonly string[]
  /** What a person should know of how the rows were read. */
  readonly notes?: readonly string[]
}

/** Waves in columns: a pattern with one star for each wave, as in `*_t1`. */
export interface WideOptions {
  readonly waves: readonly string[]
  readonly transitions?: PanelOptions['transitions']
}

/**
 * The waves of persons whose rows have all waves.
 * @param squares for every cell the sum of the squares of its weights, if these are sampling weights
 * @param known the waves of a model
 */
export const wideData = (
  tensor: Tensor,
  { waves, transitions = 'free' }: WideOptions,
  squares?: Float64Array,
  known?: readonly Label[],
): LinkedData => {
  const { notes, ...long } = longTable(tensor, waves, [], squares)
  return { ...panelData(long.tensor, { ...WIDE, transitions }, long.squares, known), wide: waves, notes }
}

/**
 * The waves of persons. A person may lack waves; those before the first answer count, since chains begin at the first wave.
 * @param squares for every cell the sum of the squares of its weights, if persons were merged
 * @param known the waves of a model, of which the data may lack some
 * @param every whether rows without answers count too, as they do if they are to be classified
 * @example
 * const interviews = tensorFromRows([{ id: 'Ann', wave: 1, vote: 'yes' }, { id: 'Ann', wave: 2, vote: 'no' }])
 * panelData(interviews, { person: 'id', time: 'wave' }).observations // 1
 */
export const panelData = (
  tensor: Tensor,
  { person, time, transitions = 'free' }: PanelOptions,
  squares?: Float64Array,
  known?: readonly Label[],
  every = false,
): LinkedData => {
  if (person === time) throw new OptionError('time', words`must be another ${term('mode')} than the person`, time)
  const { rows, items, cells, dropped, source } = linkedRows(tensor, [person, time], time)
  const units = rows.modes[modeNamed(rows, person, 'person')]
  const ofPerson = rows.indices[modeNamed(rows, person, 'person')]
  const { waves, ofWave } = wavesIn(rows, time, known)
  if (waves.size < 2)
    throw new DataError(
      words`${show(time)} has one wave only (${show(waves.label(0))}): change needs two; without ${mention('person')} and ${mention('time')} this is an ordinary fit`,
    )
  if (waves.size > MOST_WAVES)
    throw new DataError(
      words`${show(time)} has ${String(waves.size)} different values, and at most ${String(MOST_WAVES)} waves are possible: cut it with ${mention('bins')}`,
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
  const wrong = (row: number, what: string) =>
    new DataError(
      `person ${show(units.label(ofPerson[row]))} ${what} (wave ${show(waves.label(ofWave[row]))}): a person has one row for each wave, with the same weight in all`,
    )
  for (let row = 0; row < rows.cells; row++) {
    if (last[ofPerson[row]] < ofWave[row]) continue
    const unit = place[ofPerson[row]]
    const at = starts[unit] + ofWave[row]
    if (sources[at] !== MISSING) throw wrong(row, 'has two rows in a wave')
    if (weights[unit] !== 0 && Math.abs(rows.values[row] - weights[unit]) > 1e-9 * weights[unit])
      throw wrong(row, `counts ${rows.values[row]} in one wave and ${weights[unit]} in another`)
    weights[unit] = rows.values[row]
    if (squared !== undefined) squared[unit] = squares![source[row]]
    sources[at] = row
    patterns[at] = cells[row]
  }
  const links = {
    kind: 'chain' as const,
    waves: waves.size,
    same: transitions === 'same',
    rows: { weights, starts, cells: patterns, ...(squared !== undefined && { squares: squared }) },
  }
  const observations = weights.reduce((sum, weight) => sum + weight, 0)
  return { items, links, units, labels: persons, time: waves, sources, observations, dropped }
}

/**
 * The members of groups; equal ones are counted.
 * @param every whether the rows are to be classified: any number of groups, and members without answers
 * @example
 * nestedData(answers, { within: 'age', groupClasses: 2 }).observations // 1000
 */
export const nestedData = (tensor: Tensor, { within, groupClasses }: NestedOptions, every = false): LinkedData => {
  const { rows, items, cells, dropped } = linkedRows(tensor, [within], within)
  const units = rows.modes[modeNamed(rows, within, 'within')]
  const of = rows.indices[modeNamed(rows, within, 'within')]
  const used = Array.from(cells, (_, row) => row).filter(row => every || cells[row] !== MISSING)
  used.sort((a, b) => of[a] - of[b] || a - b)
  const groups: number[] = []
  const starts: number[] = []
  used.forEach((row, i) => {
    if (i > 0 && of[used[i - 1]] === of[row]) return
    groups.push(of[row])
    starts.push(i)
  })
  if (groups.length < 2 && !every)
    throw new DataError(
      words`${show(within)} has one group only: classes of groups need several; without ${mention('within')} this is an ordinary fit`,
    )
  if (groupClasses > groups.length && !every)
    throw new OptionError('groupClasses', `must be at most the number of groups, ${groups.length}`, groupClasses)
  const counts = Float64Array.from(used, row => rows.values[row])
  const links = {
    kind: 'nested' as const,
    groupClasses,
    rows: {
      weights: new Float64Array(groups.length).fill(1),
      starts: Int32Array.of(...starts, used.length),
      cells: Int32Array.from(used, row => cells[row]),
      counts,
    },
  }
  const observations = counts.reduce((sum, count) => sum + count, 0)
  const labels = Int32Array.from(groups)
  return { items, links, units, labels, time: undefined, sources: Int32Array.from(used), observations, dropped }
}

/** The waves, and the position of every row's wave among them. */
const wavesIn = ({ modes, indices }: Tensor, time: string, known: readonly Label[] | undefined) => {
  const n = modeNamed({ modes }, time, 'time')
  if (known === undefined) return { waves: modes[n], ofWave: indices[n] }
  const waves = new Mode(time, known)
  const positions = labelsOf(modes[n]).map(label => {
    const position = waves.indexOf(label)
    if (position === undefined)
      throw new DataError(
        `the data has wave ${show(label)} in ${show(time)}, and the model knows ${known.map(show).join(', ')}`,
      )
    return position
  })
  return { waves, ofWave: indices[n].map(index => positions[index]) }
}

/** The rows that say which unit they are of, and the distinct answers among them. */
const linkedRows = (tensor: Tensor, linking: readonly string[], ordered: string) => {
  const columns = linking.map(name => tensor.indices[modeNamed(tensor, name, 'person')])
  const isLinked = (cell: number) => columns.every(column => column[cell] !== MISSING)
  const known = selectCells(tensor, isLinked)
  if (known.cells === 0) throw new DataError(`no row has ${linking.map(show).join(' and ')}: there is nothing to fit`)
  const rows = occurringLabels(known, [ordered])
  const names = rows.modes.filter(({ name }) => !linking.includes(name)).map(({ name }) => name)
  if (names.length === 0) throw new OptionError(words`there is no ${term('mode')} left to be explained by classes`)
  const answers = names.map(name => rows.indices[modeNamed(rows, name, 'data')])
  const answered = (row: number) => answers.some(column => column[row] !== MISSING)
  const some = selectCells(rows, answered)
  if (some.cells === 0) throw new DataError('no row has an answer: there is nothing to fit')
  const items = withoutModes(some, linking)
  const positions = cellPositions(items, answers)
  const cells = positions.map((position, row) => (answered(row) ? position : MISSING))
  /** The cells of the tensor that the rows are, which keep their order. */
  const source = Array.from({ length: tensor.cells }, (_, cell) => cell).filter(isLinked)
  return { rows, items, cells, source, dropped: tensor.total - some.total }
}
