import { DataError, OptionError, show } from '../../errors.ts'
import { buildTensor } from '../../tensor/build.ts'
import { statedOrder } from '../../tensor/label-order.ts'
import { labelsOf, MISSING, Mode, sortLabels } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'

/** What the columns of persons and of waves are called in a table that had a row for each person. */
export const WIDE = { person: 'person', time: 'wave' } as const

/** A wide table as a long one: a row for each person and wave. */
export interface LongTable {
  readonly tensor: Tensor
  /** For every cell the sum of the squares of its weights, if these are known. */
  readonly squares: Float64Array | undefined
  /** What the columns do not say alike. */
  readonly notes: readonly string[]
}

/** Columns that patterns of waves match. */
export interface WaveColumns {
  /** For every column its wave, counted from 0, and the variable that the star stands for; undefined if no pattern matches. */
  readonly columns: readonly ({ readonly wave: number; readonly stem: string } | undefined)[]
  /** What the waves are called. */
  readonly labels: readonly string[]
}

/**
 * Which wave and variable each column is of, if waves are in columns.
 * @param waves for each wave a pattern with one star, as in `*_t1`
 * @param others columns that are the same at every wave
 * @example
 * waveColumns(['age', 'work_t1', 'work_t2'], ['*_t1', '*_t2']).columns[2] // { wave: 1, stem: 'work' }
 */
export const waveColumns = (
  names: readonly string[],
  waves: readonly string[],
  others: readonly string[] = [],
): WaveColumns => {
  const patterns = wavePatterns(waves)
  const own = names.map(name =>
    others.includes(name)
      ? []
      : patterns.flatMap(([before, after], wave) =>
          name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
            ? [{ wave, stem: name.slice(before.length, name.length - after.length) }]
            : [],
        ),
  )
  own.forEach((found, n) => {
    if (found.length > 1)
      throw new OptionError(
        'waves',
        `has two patterns for column ${show(names[n])}: ${found.map(({ wave }) => show(waves[wave])).join(' and ')}; write them so that each matches the columns of one wave`,
      )
  })
  waves.forEach((pattern, wave) => {
    if (!own.some(found => found[0]?.wave === wave))
      throw new OptionError(
        'waves',
        `has ${show(pattern)}, which matches no column; the columns are ${names.filter(name => !others.includes(name)).join(', ')}`,
      )
  })
  return { columns: own.map(([found]) => found), labels: waveLabels(waves, patterns) }
}

/**
 * Makes of a table with a row for each person one with a row for each person and wave. Equal rows become one person, who counts as often.
 * @param waves for each wave a pattern with one star, as in `*_t1`: its columns are those that it matches, and the star is the name of the variable
 * @param others modes that are the same at every wave
 */
export const longTable = (
  tensor: Tensor,
  waves: readonly string[],
  others: readonly string[] = [],
  squares?: Float64Array,
): LongTable => {
  const names = tensor.modes.map(({ name }) => name)
  const { columns: own, labels } = waveColumns(names, waves, others)
  const stems = [...new Set(own.flatMap(found => found?.stem ?? []))]
  const taken = stems.find(stem => stem === WIDE.person || stem === WIDE.time || others.includes(stem))
  if (taken !== undefined)
    throw new DataError(
      `the patterns of the waves make a variable ${show(taken)}, a name that is used: rename its columns`,
    )
  const unused = names.filter((name, n) => own[n] === undefined && !others.includes(name))
  const place = (stem: string, wave: number) => own.findIndex(found => found?.stem === stem && found.wave === wave)
  const notes = [
    ...(unused.length === 0 ? [] : [`not used, because no pattern of a wave matches: ${unused.join(', ')}`]),
    ...stems.flatMap(stem => {
      const missing = waves.filter((_, wave) => place(stem, wave) < 0)
      if (missing.length === 0) return []
      return [`${stem} has no column in ${missing.join(', ')}; in these waves it is treated as missing`]
    }),
  ]
  const variables = stems.map(stem =>
    variableOf(
      tensor,
      stem,
      waves.map((_, wave) => place(stem, wave)),
    ),
  )
  const rows: { readonly cell: number; readonly wave: number }[] = []
  for (let cell = 0; cell < tensor.cells; cell++)
    for (let wave = 0; wave < waves.length; wave++)
      if (variables.some(({ columns }) => (columns[wave]?.[cell] ?? MISSING) !== MISSING)) rows.push({ cell, wave })
  if (rows.length === 0) throw new DataError('no row has an answer at any wave: there is nothing to fit')
  const kept = others.map(name => names.indexOf(name)).filter(n => n >= 0)
  const long = (values: Float64Array) =>
    buildTensor(
      [
        new Mode(WIDE.person, tensor.cells),
        new Mode(WIDE.time, labels),
        ...variables.map(({ mode }) => mode),
        ...kept.map(n => tensor.modes[n]),
      ],
      [
        Int32Array.from(rows, ({ cell }) => cell),
        Int32Array.from(rows, ({ wave }) => wave),
        ...variables.map(({ columns }) => Int32Array.from(rows, ({ cell, wave }) => columns[wave]?.[cell] ?? MISSING)),
        ...kept.map(n => Int32Array.from(rows, ({ cell }) => tensor.indices[n][cell])),
      ],
      Float64Array.from(rows, ({ cell }) => values[cell]),
    )
  return { tensor: long(tensor.values), squares: squares && long(squares).values, notes }
}

/**
 * What is before and after the star of each pattern of a wave.
 * @example
 * wavePatterns(['*_t1', '*_t2']) // [['', '_t1'], ['', '_t2']]
 */
export const wavePatterns = (waves: readonly string[]): (readonly [before: string, after: string])[] => {
  const patterns = waves.map(text => partsOf(text))
  if (waves.length < 2)
    throw new OptionError('waves', `needs a pattern for each of two waves or more, as in '*_t1,*_t2'`, waves.join())
  const twice = waves.find((each, i) => waves.indexOf(each) < i)
  if (twice !== undefined) throw new OptionError('waves', `has ${show(twice)} twice: name every wave once`)
  return patterns
}

/** What is before the star of a pattern, and what is after it. */
const partsOf = (text: string): readonly [before: string, after: string] => {
  const parts = text.split('*')
  if (parts.length !== 2 || text.length < 2)
    throw new OptionError(
      words`${mention('waves')}: ${show(text)} must have one star, for the name of the variable, as in '*_t1'`,
    )
  return [parts[0], parts[1]]
}

/** `t1` of `*_t1`; the patterns themselves if that does not tell them apart. */
const waveLabels = (waves: readonly string[], patterns: readonly (readonly [string, string])[]): string[] => {
  const short = patterns.map(([before, after]) => `${before}${after}`.replace(/^[\s_.-]+|[\s_.-]+$/g, ''))
  return short.some((each, i) => each === '' || short.indexOf(each) < i) ? [...waves] : short
}

/** A variable with the categories that it has at any wave, and its column at each; undefined where it was not asked. */
const variableOf = (tensor: Tensor, name: string, places: readonly number[]) => {
  const modes = places.filter(n => n >= 0).map(n => tensor.modes[n])
  const [first] = modes
  const same = modes.every(mode => labelsOf(mode).map(String).join('\n') === labelsOf(first).map(String).join('\n'))
  const labels = new Map(modes.flatMap(mode => labelsOf(mode).map(label => [String(label), label] as const)))
  const sorted = sortLabels(labels.values())
  const order = same ? undefined : statedOrder(sorted.map(String))
  const mode = new Mode(name, same ? labelsOf(first) : (order?.map(j => sorted[j]) ?? sorted), first.ordered)
  const columns = places.map(n => {
    if (n < 0) return undefined
    const positions = labelsOf(tensor.modes[n]).map(label => mode.indexOf(label) as number)
    return tensor.indices[n].map(index => (index === MISSING ? MISSING : positions[index]))
  })
  return { mode, columns }
}
