import type { FitRequest, ReadOptions } from '../../worker/protocol.ts'
import { ranksOf } from '../../worker/protocol.ts'

/** A word of a command line as a shell takes it. */
const word = (text: string): string =>
  /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A name in a list separated by commas. */
const listed = (name: string): string => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** A flag and its value; a value that looks like a flag is joined to it. */
const flag = (name: string, value: string): string[] =>
  value.startsWith('-') ? [`${name}=${word(value)}`] : [name, word(value)]

type Fit = Omit<FitRequest, 'line'>

/** The command that does the same. */
export const asCommand = (file: string, read: ReadOptions, fit: Fit): string => {
  const { covariates } = fit
  // The command that compares ranks knows neither covariates nor weights: then it is one command for each.
  if (fit.from < fit.to && (covariates.length > 0 || read.weights !== undefined))
    return ranksOf(fit)
      .map(rank => asCommand(file, read, { ...fit, from: rank, to: rank }))
      .join('\n')
  const options = [
    ...['-k', fit.from === fit.to ? `${fit.from}` : `${fit.from}..${fit.to}`],
    ...flag('--modes', (read.modes ?? []).map(listed).join(',')),
    ...(covariates.length > 0 ? flag('--covariates', covariates.map(listed).join(',')) : []),
    ...(read.weights === undefined ? flag('--count', read.count ?? 'none') : flag('--weights', read.weights)),
    ...(read.bins ?? []).flatMap(bin => flag('--bin', bin)),
    ...(read.top === undefined ? [] : ['--top', `${read.top}`]),
    ...(read.missing === undefined ? [] : flag('--missing', read.missing.map(listed).join(','))),
    ...(read.trim ? ['--trim'] : []),
    ...(read.ignoreCase ? ['--ignore-case'] : []),
    ...(read.timeZone === undefined ? [] : flag('--time-zone', read.timeZone)),
    ...['--seed', `${fit.seed}`],
    ...(fit.prior > 0 ? ['--pseudo-counts', `${fit.prior}`] : []),
    ...(fit.smoothing === null ? [] : ['--smoothing', `${fit.smoothing}`]),
    ...(fit.maxSeconds === null ? [] : ['--max-seconds', `${fit.maxSeconds}`]),
  ]
  // A name that begins like an option is one of this folder.
  const path = file.startsWith('-') ? `./${file}` : file
  return ['polyad', fit.from === fit.to ? 'fit' : 'rank', word(path), ...options].join(' ')
}

/** The program that does the same. */
export const asProgram = (file: string, read: ReadOptions, fit: Fit): string => {
  const { covariates, from, to, seed, prior, smoothing, maxSeconds } = fit
  const name = covariates.length > 0 ? 'fitCovariates' : from === to ? 'fit' : 'chooseRank'
  const options = {
    seed,
    ...(covariates.length > 0 && { covariates }),
    ...(prior > 0 && { pseudoCounts: prior }),
    ...(smoothing !== null && { smoothing }),
    ...(maxSeconds !== null && { maxSeconds }),
  }
  return [
    `import { ${name} } from '@polyad/core'`,
    `import { readTensor } from 'polyad'`,
    '',
    `const { tensor } = await readTensor(${literal(file)}, ${object(read)})`,
    ...fitting(name, fit, options),
    '',
  ].join('\n')
}

const fitting = (name: string, fit: Fit, options: object): readonly string[] => {
  const { from, to } = fit
  if (from === to)
    return [
      `const { model, verdict } = await ${name}(tensor, ${object({ rank: from, ...options })})`,
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
    `  const { model, evaluation } = await ${name}(tensor, { ...options, rank })`,
    '  console.log(rank, evaluation.bic, model.shares)',
    '}',
  ]
}

const literal = (value: unknown): string => {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return JSON.stringify(value)
}

const object = (values: object): string => {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${literal(value)},`)
  return lines.length === 0 ? '{}' : ['{', ...lines, '}'].join('\n')
}
