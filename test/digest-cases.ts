import type { TensorOptions } from '../packages/core/src/engine/random-tensor.ts'
import type * as core from '../packages/core/src/index.ts'
import type { Model, StructuredFitOptions } from '../packages/core/src/index.ts'

/** Seeded fits whose bits are on record: `data/digests.json`. They are computed alike in Node, on any number of threads, and in a browser. */

export interface DigestCase {
  readonly name: string
  readonly data: TensorOptions
  /** Whether the labels of every mode have an order. */
  readonly ordered?: boolean
  /** Options of a fit, of a fit with structure, or of what follows a fit. */
  readonly fit?: core.FitOptions
  readonly structured?: StructuredFitOptions
  readonly test?: core.TestRanksOptions
  readonly bootstrap?: core.BootstrapOptions
  readonly errors?: core.StandardErrorOptions
}

const ITEMS = [3, 4, 3, 2]

export const DIGEST_CASES: readonly DigestCase[] = [
  { name: 'one class', data: { shape: [40, 30, 20], cells: 3000 }, fit: { rank: 1 } },
  { name: 'two modes', data: { shape: [12, 10], cells: 90 }, fit: { rank: 2, seed: 7 } },
  {
    name: 'three modes, real values',
    data: { shape: [60, 50, 40], cells: 4000, real: true },
    fit: { rank: 5, starts: 4 },
  },
  { name: 'plain EM', data: { shape: [12, 10, 8], cells: 500 }, fit: { rank: 3, starts: 3, algorithm: 'em' } },
  {
    name: 'twelve binary items, missing entries',
    data: { shape: new Array(12).fill(2), cells: 600, missing: 0.05 },
    fit: { rank: 3, starts: 4, seed: 2 },
  },
  { name: 'a wide mode', data: { shape: [5000, 12, 6], cells: 12_000 }, fit: { rank: 6, starts: 1, maxPasses: 40 } },
  {
    name: 'pseudo-counts and smoothing',
    data: { shape: [24, 9, 7], cells: 800 },
    ordered: true,
    fit: { rank: 3, pseudoCounts: 0.5, smoothing: 1, starts: 3 },
  },
  {
    name: 'single precision first',
    data: { shape: [300, 200, 50], cells: 15_000 },
    fit: { rank: 16, starts: 1, maxPasses: 60, precision: 'single' },
  },
  {
    name: 'standard errors',
    data: { shape: ITEMS, cells: 300 },
    fit: { rank: 2, starts: 3 },
    errors: { kind: 'sandwich' },
  },
  {
    name: 'covariates',
    data: { shape: ITEMS, cells: 300 },
    structured: { rank: 2, covariates: ['mode4'], starts: 3 },
  },
  { name: 'groups', data: { shape: ITEMS, cells: 300 }, structured: { rank: 2, groups: 'mode4', starts: 3 } },
  {
    name: 'a test of two classes',
    data: { shape: ITEMS, cells: 60 },
    test: { rank: 1, replicates: 9, starts: 3, all: true },
  },
  { name: 'a bootstrap', data: { shape: ITEMS, cells: 60 }, fit: { rank: 2, starts: 3 }, bootstrap: { replicates: 8 } },
]

export interface DigestTools {
  readonly core: typeof core
  readonly randomTensor: (options: TensorOptions) => core.Tensor
}

/** The numbers of a case. It names nothing outside itself, so that a page can run its text. */
export const numbersOf = async (
  { core: { fit, fitStructured, testRanks, bootstrap, standardErrors, tensorFromColumns }, randomTensor }: DigestTools,
  { data, ordered = false, ...asked }: DigestCase,
  threads: number,
): Promise<Float64Array> => {
  const drawn = randomTensor(data)
  const modes = drawn.modes.map(({ name }) => ({ name, ordered }))
  const tensor = tensorFromColumns(drawn.indices, drawn.values, { shape: drawn.shape, modes })
  const ofModel = ({ parameters }: Model) => [...parameters.shares, ...parameters.factors.flatMap(table => [...table])]
  if (asked.structured !== undefined) {
    const { result, explained, groups } = await fitStructured(tensor, { ...asked.structured, threads })
    const coefficients = explained?.covariates.coefficients.flatMap(({ estimate, standardError }) => [
      estimate,
      standardError,
    ])
    const compared = groups?.models.map(({ logLikelihood }) => logLikelihood)
    return Float64Array.from([result.loss, ...(coefficients ?? []), ...(compared ?? [])])
  }
  if (asked.test !== undefined) {
    const { pValue, fits } = await testRanks(tensor, { ...asked.test, threads })
    return Float64Array.from([pValue, ...fits.flatMap(({ model, loss }) => [loss, ...ofModel(model)])])
  }
  const { model, loss } = await fit(tensor, { ...asked.fit!, threads })
  const numbers = [loss, ...ofModel(model)]
  if (asked.bootstrap !== undefined) {
    const { shares } = await bootstrap(tensor, model, { ...asked.bootstrap, threads })
    numbers.push(...shares.map(({ standardError }) => standardError))
  }
  if (asked.errors !== undefined) {
    const { shares, factors } = await standardErrors(tensor, model, asked.errors)
    numbers.push(...[shares, factors].flat(3).map(error => error ?? -1))
  }
  return Float64Array.from(numbers)
}
