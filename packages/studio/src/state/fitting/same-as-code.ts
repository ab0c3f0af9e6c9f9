import { flagOf, flagWithValue, listed, listItem, READING_OPTIONS, shellWord } from 'polyad/table'
import type { FitRequest, OpenOptions, ReadOptions } from '../../worker/protocol.ts'
import { libraryOptions, ranksOf } from '../../worker/protocol.ts'

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

/** The command that does the same. */
export const asCommand = (file: string, read: Reading, fit: Fit): string => {
  const { covariates } = fit
  // The command that compares ranks knows neither covariates nor weights: then it is one command for each.
  if (fit.from < fit.to && (covariates.length > 0 || read.weights !== undefined))
    return ranksOf(fit)
      .map(rank => asCommand(file, read, { ...fit, from: rank, to: rank }))
      .join('\n')
  const asked: Readonly<Record<string, unknown>> = read.weights === undefined ? { count: 'none', ...read } : { ...read }
  const reading = Object.keys(READING_OPTIONS).flatMap(name => {
    if (name === 'include') return covariates.length > 0 ? flagged('covariates', covariates) : []
    return asked[name] === undefined ? [] : flagged(name, asked[name])
  })
  const options = { ...libraryOptions(fit), ...(fit.graphics === true && { engine: 'gpu' }) }
  const fitting = Object.entries(options).flatMap(([name, value]) => flagged(name, value))
  // A name that begins like an option is one of this folder.
  const path = file.startsWith('-') ? `./${file}` : file
  const one = fit.from === fit.to
  const ranks = one ? `${fit.from}` : `${fit.from}..${fit.to}`
  return ['polyad', one ? 'fit' : 'rank', shellWord(path), '-k', ranks, ...reading, ...fitting].join(' ')
}

/** The program that does the same. */
export const asProgram = (file: string, read: Reading, fit: Fit): string => {
  const { covariates, from, to, graphics = false } = fit
  const name = covariates.length > 0 ? 'fitStructured' : from === to ? 'fit' : 'chooseRank'
  const options = {
    ...libraryOptions(fit),
    ...(graphics && { engine: new Expression('await graphicsEngine()') }),
    ...(covariates.length > 0 && { covariates }),
  }
  return [
    `import { ${name} } from '@polyad/core'`,
    `import { ${graphics ? 'graphicsEngine, ' : ''}readTensor } from 'polyad'`,
    '',
    `const { tensor } = await readTensor(${literal(file)}, ${object(read)})`,
    ...fitting(name, fit, options),
    '',
  ].join('\n')
}

const fitting = (name: string, fit: Fit, options: object): readonly string[] => {
  const { from, to } = fit
  const found = name === 'fitStructured' ? '{ result: { model, verdict } }' : '{ model, verdict }'
  if (from === to)
    return [
      `const ${found} = await ${name}(tensor, ${object({ rank: from, ...options })})`,
      'console.log(verdict.text, model.shares)',
    ]
  if (name === 'chooseRank')
    return [
      `const { fits, recommended } = await ${name}(tensor, ${object({ from, to, ...options })})`,
      'console.log(recommended, fits.map(({ rank, bic }) => [rank, bic]))',
    ]
  // Ranks with covariates are fitted one by one.
  return [
    `const options = ${object(options)}`,
    `for (const rank of ${literal(ranksOf(fit))}) {`,
    `  const { result: { model }, explained } = await ${name}(tensor, { ...options, rank })`,
    '  console.log(rank, explained?.evaluation.bic, model.shares)',
    '}',
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
  return JSON.stringify(value)
}

const object = (values: object): string => {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${literal(value)},`)
  return lines.length === 0 ? '{}' : ['{', ...lines, '}'].join('\n')
}
