import type { FitRequest, ReadOptions } from '../worker/protocol.ts'

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
  const several = fit.from < fit.to && (covariates.length > 0 || read.weights !== undefined)
  if (several)
    return Array.from({ length: fit.to - fit.from + 1 }, (_, i) =>
      asCommand(file, read, { ...fit, from: fit.from + i, to: fit.from + i }),
    ).join('\n')
  const options = [
    ...['-k', fit.from === fit.to ? `${fit.from}` : `${fit.from}..${fit.to}`],
    ...flag('--modes', (read.modes ?? []).map(listed).join(',')),
    ...(covariates.length > 0 ? flag('--covariates', covariates.map(listed).join(',')) : []),
    ...(read.weights === undefined ? flag('--count', read.count ?? 'none') : flag('--weights', read.weights)),
    ...(read.rescaleWeights ? ['--rescale-weights'] : []),
    ...(read.bins ?? []).flatMap(bin => flag('--bin', bin)),
    ...(read.top === undefined ? [] : ['--top', `${read.top}`]),
    ...(read.missing === undefined ? [] : flag('--missing', read.missing.map(listed).join(','))),
    ...(read.trim ? ['--trim'] : []),
    ...(read.ignoreCase ? ['--ignore-case'] : []),
    ...['--seed', `${fit.seed}`],
    ...(fit.prior > 0 ? ['--pseudo-counts', `${fit.prior}`] : []),
    ...(fit.smoothing === null ? [] : ['--smoothing', `${fit.smoothing}`]),
    ...(fit.maxSeconds === null ? [] : ['--max-seconds', `${fit.maxSeconds}`]),
  ]
  // A name that begins like an option is one of this folder.
  const path = file.startsWith('-') ? `./${file}` : file
  return ['polyad', fit.from === fit.to ? 'fit' : 'rank', word(path), ...options].join(' ')
}

/** The program that does the same; with covariates for the first number of classes. */
export const asProgram = (file: string, read: ReadOptions, fit: Fit): string => {
  const { covariates, from, to, seed, prior, smoothing, maxSeconds } = fit
  const one = from === to || covariates.length > 0
  const name = covariates.length > 0 ? 'fitCovariates' : one ? 'fit' : 'chooseRank'
  const options = {
    ...(one ? { rank: from } : { from, to }),
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
    one
      ? `const { model, verdict } = await ${name}(tensor, ${object(options)})`
      : `const { fits, recommended } = await ${name}(tensor, ${object(options)})`,
    ...(one
      ? ['console.log(verdict.text, model.shares)']
      : ['console.log(recommended, fits.map(({ rank, bic }) => [rank, bic]))']),
    '',
  ].join('\n')
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
