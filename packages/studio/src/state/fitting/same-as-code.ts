import type { Item } from '@polyad/core'
import { defined, omit } from '@polyad/core/options'
import type { NamedItem } from 'polyad/analysis'
import { flagOf, flagWithValue, listed, listItem, READING_OPTIONS, shellWord } from 'polyad/table'
import type { FitRequest, OpenOptions, ReadOptions } from '../../worker/protocol.ts'
import { libraryOptions } from '../../worker/protocol.ts'

type Fit = Omit<FitRequest, 'line'>
type Reading = ReadOptions & OpenOptions

const TABLE: Readonly<Record<string, { readonly check: unknown; readonly each?: true }>> = READING_OPTIONS

/** An option with its value, as the command line takes it: some lists one by one, others with commas. */
const flagged = (name: string, value: unknown): readonly string[] => {
  if (value === true) return [flagOf(name)]
  if (value === false) return [flagOf(name).replace(/^--/, '--no-')]
  if (!Array.isArray(value)) return [flagWithValue(flagOf(name), `${value}`)]
  if (TABLE[name]?.each === true) return value.map(each => flagWithValue(flagOf(name), each))
  return [
    flagWithValue(
      flagOf(name),
      value.map(each => (name in TABLE ? listItem(name, `${each}`) : listed(`${each}`))).join(','),
    ),
  ]
}

/** Fewer columns than this are named one by one. */
const FEW = 3

/** `q1:8,9`, `q2:8,9` and so on as `q*:8,9`, if all columns that are read and begin with q have these codes. */
const withPatterns = (entries: readonly string[], columns: readonly string[]): readonly string[] => {
  // A name in quotes stands for itself.
  const parts = entries.map(entry => /^([^":*,]*?)\d+:(.*)$/.exec(entry))
  const isWhole = (stem: string, codes: string): boolean =>
    stem !== '' &&
    [...columns, ...entries.map(entry => entry.replace(/:.*$/, ''))].every(
      name => !name.toLowerCase().startsWith(stem.toLowerCase()) || entries.includes(`${name}:${codes}`),
    )
  const patterns = parts.map((part, i) => {
    const [, stem = '', codes = ''] = part ?? []
    const like = parts.filter(each => each?.[1] === stem && each[2] === codes)
    return like.length >= FEW && isWhole(stem, codes) ? `${stem}*:${codes}` : entries[i]
  })
  return [...new Set(patterns)]
}

/** The command that does the same. */
export const asCommand = (file: string, read: Reading, fit: Fit): string => {
  const { covariates, items = [], links = {} } = fit
  const { modes = [], include = [], count, weights, missingIn } = read
  const columns = [...modes, ...include, count ?? '', weights ?? '']
  const asked: Readonly<Record<string, unknown>> = {
    ...(weights === undefined && { count: 'none' }),
    ...read,
    ...(missingIn && { missingIn: withPatterns(missingIn, columns) }),
  }
  const reading = Object.keys(READING_OPTIONS).flatMap(name => {
    if (name === 'include') return covariates.length > 0 ? flagged('covariates', covariates) : []
    return asked[name] === undefined ? [] : flagged(name, asked[name])
  })
  const options = {
    ...links,
    ...itemOptions(items),
    ...libraryOptions(fit),
    ...(fit.graphics === true && { engine: 'gpu' }),
  }
  const one = fit.from === fit.to
  const fitting = Object.entries(options).flatMap(([name, value]) => flagged(name, value))
  // The design of a sample changes standard errors, which comparisons of numbers of classes have none of.
  const { cluster, stratum: strata } = (one && read.design) || {}
  const sample = Object.entries(defined({ cluster, strata })).flatMap(([name, value]) => flagged(name, listed(value)))
  // A name that begins like an option is one of this folder.
  const path = file.startsWith('-') ? `./${file}` : file
  const ranks = one ? `${fit.from}` : `${fit.from}..${fit.to}`
  return ['polyad', one ? 'fit' : 'rank', shellWord(path), '-k', ranks, ...reading, ...sample, ...fitting].join(' ')
}

/** What variables are taken for, in options of the command line. */
const itemOptions = (items: readonly NamedItem[]): Readonly<Record<string, unknown>> => {
  const of = (kind: Item['kind'], text: (item: NamedItem) => string) =>
    items.flatMap(each => (each.item.kind === kind ? [text(each)] : []))
  const lists = {
    continuous: of('normal', ({ column, item }) =>
      item.kind === 'normal' && item.step !== undefined ? `${column}:${item.step}` : column,
    ),
    ordinal: of('ordinal', ({ column }) => column),
    counts: of('count', ({ column, item }) =>
      item.kind === 'count' && item.distribution === 'negative-binomial' ? `${column}:nb` : column,
    ),
  }
  const isEqual = items.some(({ item }) => item.kind === 'normal' && item.variances === 'equal')
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
    ...(isEqual && { variances: 'equal' }),
  }
}

/** The program that does the same. */
export const asProgram = (file: string, read: Reading, fit: Fit): string => {
  const { covariates, items = [], links, from, to, graphics = false } = fit
  const name = from < to ? 'chooseRank' : covariates.length > 0 || links !== undefined ? 'fitStructured' : 'fit'
  const options = {
    ...libraryOptions(fit),
    ...(graphics && { engine: new Expression('await graphicsEngine()') }),
    ...(covariates.length > 0 && { covariates }),
    ...links,
    ...(items.length > 0 && {
      items: Object.fromEntries(items.map(({ column, item }) => [column, new Expression(itemCode(item))])),
    }),
  }
  const kinds = [...new Set(items.map(({ item }) => FUNCTIONS[item.kind]))]
  return [
    `import { ${[name, ...kinds].join(', ')} } from '@polyad/core'`,
    `import { ${graphics ? 'graphicsEngine, ' : ''}readTensor } from 'polyad'`,
    '',
    `const { tensor } = await readTensor(${literal(file)}, ${object(omit(read, 'design'))})`,
    ...fitting(name, fit, options),
    '',
  ].join('\n')
}

const FUNCTIONS: Readonly<Record<Item['kind'], string>> = {
  categorical: 'categorical',
  ordinal: 'ordinal',
  normal: 'normal',
  count: 'count',
}

/** normal({ step: 0.5 }) */
const itemCode = (item: Item): string => {
  const { kind, ...rest } = item
  return `${FUNCTIONS[kind]}(${Object.keys(rest).length === 0 ? '' : literal(rest)})`
}

const fitting = (name: string, { from, to }: Fit, options: object): readonly string[] => {
  if (from < to)
    return [
      `const { fits, recommended } = await ${name}(tensor, ${object({ from, to, ...options })})`,
      'console.log(recommended, fits.map(({ rank, bic }) => [rank, bic]))',
    ]
  const found = name === 'fitStructured' ? '{ result: { model, verdict } }' : '{ model, verdict }'
  return [
    `const ${found} = await ${name}(tensor, ${object({ rank: from, ...options })})`,
    'console.log(verdict.text, model.shares)',
  ]
}

/** Code that stands as it is. */
class Expression {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

const literal = (value: unknown): string => {
  if (value instanceof Expression) return value.code
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${/^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)}: ${literal(each)}`)
      .join(', ')} }`
  return JSON.stringify(value)
}

const object = (values: object): string => {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${literal(value)},`)
  return lines.length === 0 ? '{}' : ['{', ...lines, '}'].join('\n')
}
