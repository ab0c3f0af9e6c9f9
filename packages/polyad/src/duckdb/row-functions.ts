import { createRequire } from 'node:module'
import type { DuckDBDataChunk, DuckDBScalarFunction, DuckDBVector } from '@duckdb/node-api'
import type { Parameters } from '@polyad/core'
import { drawMissing, type FilledNumbers, mostProbable, numberFiller, posteriorInto } from '@polyad/core/model'
import { rowExplainer, rowScorer } from '../table/memory/row-scores.ts'
import { NOT_OBSERVED } from './messages.ts'
import { likeliestValue } from './posterior-labels.ts'

// An import would look through all of its hundred files for names, which takes three times as long as running them.
const api = createRequire(import.meta.url)('@duckdb/node-api') as typeof import('@duckdb/node-api')
const { ARRAY, DOUBLE, INTEGER } = api

/** Functions that DuckDB calls for every row while it streams: codes of the modes in, results of the model out. */

/** The codes of a chunk as columns of indices: a label that was never seen counts as not observed. */
const indicesOf = (chunk: DuckDBDataChunk, modes = chunk.columnCount, from = 0): Int32Array[] =>
  Array.from({ length: modes }, (_, n) => {
    const { items } = chunk.getColumnVector(from + n) as unknown as { items: Int32Array }
    return items.map(code => (code < 0 ? NOT_OBSERVED : code))
  })

/** What follows the codes: the linear predictors of the classes. */
const predictorsOf = (chunk: DuckDBDataChunk, modes: number): Float64Array[] =>
  Array.from(
    { length: chunk.columnCount - modes },
    (_, k) => (chunk.getColumnVector(modes + k) as unknown as { items: Float64Array }).items,
  )

interface ArrayOutput<T> {
  readonly childData: { readonly items: T; flush(): void }
  flush(): void
}

const write = <T>(output: DuckDBVector, fill: (items: T) => void): void => {
  const { childData } = output as unknown as ArrayOutput<T>
  fill(childData.items)
  childData.flush()
  output.flush()
}

/** `polyad_score`: [class from 0, its probability, log-likelihood of the row, the probability of every class …]. */
export const scoreFunction = (parameters: Parameters, explained = false): DuckDBScalarFunction => {
  const modes = parameters.factors.length
  const scoreRow = rowScorer(parameters)
  const posterior = new Float64Array(parameters.rank)
  const size = 3 + parameters.rank
  return api.DuckDBScalarFunction.create({
    name: 'polyad_score',
    parameterTypes: [
      ...parameters.factors.map(() => INTEGER),
      ...(explained ? Array.from(parameters.shares, () => DOUBLE) : []),
    ],
    returnType: ARRAY(DOUBLE, size),
    mainFunction: (_, chunk, output) => {
      const indices = indicesOf(chunk, modes)
      const predictors = predictorsOf(chunk, modes)
      write<Float64Array>(output, items => {
        for (let row = 0; row < chunk.rowCount; row++) {
          const logLikelihood = scoreRow(indices, predictors, row, posterior)
          const best = mostProbable(posterior)
          items[row * size] = best
          items[row * size + 1] = posterior[best]
          items[row * size + 2] = logLikelihood
          items.set(posterior, row * size + 3)
        }
      })
    },
  })
}

/**
 * `polyad_explain`: [surprise in bits, its score, what is expected, the mode (from 1) whose answer is most of a surprise, the bits of every
 * answer …]; not a number where there is no answer.
 */
export const explainFunction = (parameters: Parameters, total: number, explained = false): DuckDBScalarFunction => {
  const modes = parameters.factors.length
  const explainRow = rowExplainer(parameters, total)
  const size = 4 + modes
  return api.DuckDBScalarFunction.create({
    name: 'polyad_explain',
    parameterTypes: [
      ...parameters.factors.map(() => INTEGER),
      ...(explained ? Array.from(parameters.shares, () => DOUBLE) : []),
    ],
    returnType: ARRAY(DOUBLE, size),
    mainFunction: (_, chunk, output) => {
      const codes = Array.from(
        { length: modes },
        (_, n) => (chunk.getColumnVector(n) as unknown as { items: Int32Array }).items,
      )
      const predictors = predictorsOf(chunk, modes)
      write<Float64Array>(output, items => {
        for (let row = 0; row < chunk.rowCount; row++) items.set(explainRow(codes, predictors, row), row * size)
      })
    },
  })
}

/** `polyad_fill`: the code of every mode; where it is not observed the most probable one given the others, of a number the mean. */
export const fillFunction = (parameters: Parameters, numbers: FilledNumbers): DuckDBScalarFunction => {
  const { rank, factors } = parameters
  const posterior = new Float64Array(rank)
  const filler = numberFiller(numbers, rank)
  return api.DuckDBScalarFunction.create({
    name: 'polyad_fill',
    parameterTypes: factors.map(() => INTEGER),
    returnType: ARRAY(DOUBLE, factors.length),
    mainFunction: (_, chunk, output) => {
      const indices = indicesOf(chunk)
      write<Float64Array>(output, items => {
        for (let row = 0; row < chunk.rowCount; row++) {
          posteriorInto(parameters, indices, row, posterior)
          factors.forEach((_, n) => {
            const known = indices[n][row]
            items[row * factors.length + n] =
              known === NOT_OBSERVED ? likeliestValue(parameters, filler, n, posterior) : known
          })
        }
      })
    },
  })
}

/** `polyad_draw`: the code of every mode, drawn given the others where it is not observed, of a number its value; by row (from 0) and draw (from 1). */
export const drawFunction = (parameters: Parameters, numbers: FilledNumbers, seed: number): DuckDBScalarFunction => {
  const modes = parameters.factors.length
  const codes = new Float64Array(modes)
  const filler = numberFiller(numbers, parameters.rank)
  return api.DuckDBScalarFunction.create({
    name: 'polyad_draw',
    parameterTypes: [DOUBLE, DOUBLE, ...parameters.factors.map(() => INTEGER)],
    returnType: ARRAY(DOUBLE, modes),
    mainFunction: (_, chunk, output) => {
      const indices = indicesOf(chunk, modes, 2)
      const [rows, draws] = [0, 1].map(n => (chunk.getColumnVector(n) as unknown as { items: Float64Array }).items)
      write<Float64Array>(output, items => {
        for (let i = 0; i < chunk.rowCount; i++) {
          drawMissing(parameters, indices, i, { seed, draw: draws[i], row: rows[i] }, codes, filler)
          items.set(codes, i * modes)
        }
      })
    },
  })
}
