import { type Counts, EngineError, type Parameters, type Session, type Statistics } from '@polyad/core'
import {
  abilitiesOf,
  checkPass,
  entropyOf,
  type Measures,
  newInformation,
  newStatistics,
  type StopSignal,
  unlessStopped,
} from '@polyad/core/engine'
import { checkWidth } from './ask.ts'
import { type Connection, DatabaseFault, type ResultPiece, type SentTable, type Statement } from './connection.ts'
import type { Dialect, ScanPlan } from './dialect.ts'
import { logFactors, offsetsOf, productFactors } from './factors.ts'
import { type RetryOptions, retried } from './retry.ts'

/** A database: how to write for it, and a way to it. */
export interface Database {
  readonly dialect: Dialect
  readonly connection: Connection
}

export interface SqlSessionOptions extends RetryOptions {
  /** Called when the session is closed: removes the table of cells, closes the connection. */
  readonly onClose?: () => Promise<void>
}

/** The relative error that sums over cells may have: databases add in any order, and their logarithms are their own. */
const PRECISION = 1e-11

/** How far the total of a pass may be from the total of the data, relatively, before the data is said to have changed. */
const CHANGED = 1e-9

/** A session on a table of cells in a database: every pass is one statement, and only sums by label come back. */
export const openSqlSession = (
  { dialect, connection }: Database,
  table: () => Promise<string>,
  data: Counts,
  { onClose, ...retry }: SqlSessionOptions = {},
): Session => {
  let closed = false
  const offsets = offsetsOf(data.shape)
  const inOne = data.shape.length > dialect.mostTables
  const check = (parameters: Parameters, into?: Statistics) => {
    if (closed) throw new EngineError('the session is closed')
    checkPass(data, parameters, into)
  }
  const planOf = (several: readonly Parameters[], logarithms: boolean): Omit<ScanPlan, 'table'> => ({
    shape: data.shape,
    offsets,
    ranks: several.map(({ rank }) => rank),
    logarithms,
  })
  const pieces = (
    statement: (plan: ScanPlan) => Statement,
    plan: Omit<ScanPlan, 'table'>,
    width: number,
    sent: readonly SentTable[],
    begin: () => (piece: ResultPiece) => void,
  ) =>
    retried(connection, retry, async () => {
      const take = begin()
      const checked = (piece: ResultPiece) => {
        checkWidth(piece.length, width)
        take(piece)
      }
      await connection.columns(statement({ ...plan, table: await table() }), checked, sent)
    })

  const scan = async (several: readonly Parameters[], into: readonly Statistics[], logarithms = inOne) => {
    const { tables, scales, underflow } = logarithms
      ? logFactors(data.shape, several, inOne)
      : productFactors(data.shape, several)
    if (underflow) return scan(several, into, true)
    const plan = planOf(several, logarithms)
    let cells = 0
    // A statement that is tried again begins with nothing.
    const begin = () => {
      cells = 0
      into.forEach(clear)
      return (piece: ResultPiece) => {
        cells += addPiece(piece as NumberPiece, plan, into)
      }
    }
    let lost = false
    try {
      const width = plan.ranks.reduce((sum, rank) => sum + rank + 1, 2)
      await pieces(dialect.scan, plan, width, tables, begin)
      lost = into.some(({ sizes, logLikelihood }) => !Number.isFinite(logLikelihood + sumOf(sizes)))
    } catch (error) {
      const { cause } = error as Error
      lost = !logarithms && cause instanceof DatabaseFault && (dialect.underflow?.(cause.message) ?? false)
      if (!lost) throw error
    }
    // Where a product may have lost digits, the same once more with logarithms.
    if (lost && !logarithms) return scan(several, into, true)
    into.forEach((statistics, model) => {
      if (!logarithms) statistics.logLikelihood += scaledBy(data, scales[model])
    })
    checkUnchanged(data, cells, into, connection.name)
  }

  const scanAll = async (several: readonly Parameters[], into: readonly Statistics[]) => {
    const most = dialect.mostClasses(data.cells)
    for (let from = 0, to = 0; from < several.length; from = to) {
      let width = several[to++].rank
      while (to < several.length && width + several[to].rank <= most) width += several[to++].rank
      await scan(several.slice(from, to), into.slice(from, to))
    }
  }

  const measure = async (parameters: Parameters): Promise<Measures> => {
    check(parameters)
    const { rank } = parameters
    const statistics = newStatistics(data.shape, rank)
    await scan([parameters], [statistics])
    const assigned = new Float64Array(rank * rank)
    let [logLikelihood, sumYYOverP] = [0, 0]
    const begin = () => {
      assigned.fill(0)
      logLikelihood = 0
      sumYYOverP = 0
      return (piece: ResultPiece) => {
        const [classes, ...sums] = piece as NumberPiece
        classes.forEach((a, row) => {
          if (a >= 0) for (let b = 0; b < rank; b++) assigned[a * rank + b] += sums[b][row]
          logLikelihood += a < 0 ? Number.NEGATIVE_INFINITY : sums[rank][row]
          sumYYOverP += a < 0 ? Number.POSITIVE_INFINITY : sums[rank + 1][row]
        })
      }
    }
    const { tables } = logFactors(data.shape, [parameters], inOne)
    await pieces(dialect.measure, planOf([parameters], true), rank + 3, tables, begin)
    if (logLikelihood > Number.NEGATIVE_INFINITY) checkAll(data, sumOf(assigned), connection.name)
    return { logLikelihood, sumYYOverP, entropy: entropyOf(statistics, parameters), assigned }
  }

  const information = async (parameters: Parameters) => {
    if (closed) throw new EngineError('the session is closed')
    const found = newInformation(data, parameters)
    const { rank, rows, outer } = found
    const size = rows * rank
    const rowOf = rowsOfPlaces(data.shape)
    const begin = () => {
      outer.fill(0)
      found.impossible = 0
      return (piece: ResultPiece) => {
        const [first, second, ...sums] = piece as NumberPiece
        first.forEach((place, row) => {
          if (place === -2) {
            found.impossible += sums[0][row]
            return
          }
          const [a, b] = [rowOf(place), rowOf(second[row])]
          let at = 0
          for (let k = 0; k < rank; k++) {
            for (let l = 0; l <= k; l++) {
              const sum = sums[at++][row]
              // Symmetric in the classes and in the parameters; a shard adds to what others have given.
              const entries = [
                (a * rank + k) * size + b * rank + l,
                (a * rank + l) * size + b * rank + k,
                (b * rank + k) * size + a * rank + l,
                (b * rank + l) * size + a * rank + k,
              ]
              for (const entry of new Set(entries)) outer[entry] += sum
            }
          }
        })
      }
    }
    const { tables } = logFactors(data.shape, [parameters], inOne)
    await pieces(dialect.information!, planOf([parameters], true), 2 + (rank * (rank + 1)) / 2, tables, begin)
    // In the rows and columns of what every cell has, all posteriors of a cell together are 1.
    let all = found.impossible
    for (let k = 0; k < rank; k++) all += sumOf(outer.subarray(k * size, k * size + rank))
    checkAll(data, all, connection.name)
    return found
  }

  /** A statement that is given up is ended in the database too. */
  const stoppable = async <T>(work: Promise<T>, signal: StopSignal | undefined): Promise<T> => {
    try {
      return await unlessStopped(work, signal)
    } catch (error) {
      if (signal?.aborted === true) connection.cancel?.().catch(() => {})
      throw error
    }
  }

  const session: Omit<Session, 'can'> = {
    data,
    traits: {
      precision: PRECISION,
      reproducible: false,
      nanosPerPass: rank => 1e7 + data.cells * (20 + 4 * rank * data.shape.length),
    },
    async pass(parameters, given, signal) {
      check(parameters, given)
      // A statement that was given up still gathers its sums: never where another may write.
      const into = given === undefined || signal !== undefined ? newStatistics(data.shape, parameters.rank) : given
      await stoppable(scan([parameters], [into]), signal)
      return given === undefined || given === into ? into : copied(into, given)
    },
    async passes(several, signal) {
      for (const parameters of several) check(parameters)
      const into = several.map(({ rank }) => newStatistics(data.shape, rank))
      await stoppable(scanAll(several, into), signal)
      return into
    },
    measure: (parameters, signal) => stoppable(measure(parameters), signal),
    ...(dialect.information === undefined
      ? {}
      : { information: (parameters, signal) => stoppable(information(parameters), signal) }),
    async close() {
      if (closed) return
      closed = true
      await onClose?.()
    },
  }
  return { ...session, can: abilitiesOf(session) }
}

type NumberPiece = readonly (Int32Array | Float64Array)[]

const copied = (from: Statistics, into: Statistics): Statistics => {
  into.sizes.set(from.sizes)
  from.factors.forEach((factor, n) => void into.factors[n].set(factor))
  into.logLikelihood = from.logLikelihood
  return into
}

const clear = (statistics: Statistics): void => {
  statistics.sizes.fill(0)
  for (const factor of statistics.factors) factor.fill(0)
  statistics.logLikelihood = 0
}

/** Puts the sums of a piece where they belong, and gives the number of cells in it. */
const addPiece = (
  [places, ...sums]: NumberPiece,
  { offsets, ranks }: Omit<ScanPlan, 'table'>,
  into: readonly Statistics[],
): number => {
  const width = ranks.reduce((sum, rank) => sum + rank, 0)
  const end = offsets[1] ?? Number.POSITIVE_INFINITY
  let cells = 0
  let n = 0
  for (let row = 0; row < places.length; row++) {
    const place = places[row]
    // Places that follow each other are mostly of the same mode.
    if (place < offsets[n]) n = 0
    while (n + 1 < offsets.length && place >= offsets[n + 1]) n++
    const code = place - offsets[n]
    let column = 0
    for (let model = 0; model < ranks.length; model++) {
      const { rank, sizes, factors } = into[model]
      for (let k = 0; k < rank; k++) {
        const sum = sums[column++][row]
        if (place < end) sizes[k] += sum
        if (code > 0) factors[n][(code - 1) * rank + k] += sum
      }
      if (place < end) into[model].logLikelihood += sums[width + model][row]
    }
    if (place < end) cells += sums[width + ranks.length][row]
  }
  return cells
}

/** What the division of factors by their largest has taken off Σ y·log p. */
const scaledBy = ({ marginals, total }: Counts, scales: readonly Float64Array[]): number => {
  let sum = 0
  scales.forEach((own, n) => {
    let seen = 0
    for (let label = 0; label < marginals[n].length; label++) {
      seen += marginals[n][label]
      if (marginals[n][label] > 0) sum += marginals[n][label] * own[label + 1]
    }
    sum += Math.max(0, total - seen) * own[0]
  })
  return sum
}

/** For a place the row of its label in an information; −1 is what every cell has. */
const rowsOfPlaces = (shape: readonly number[]) => {
  const offsets = offsetsOf(shape)
  return (place: number): number => {
    if (place < 0) return 0
    const n = offsets.findLastIndex(offset => offset <= place)
    return place - n
  }
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0)

const isApart = (sum: number, known: number): boolean => !(Math.abs(sum - known) <= CHANGED * known)

const changed = (name: string, what: string): EngineError =>
  new EngineError(`${name}: the table of cells has changed since it was made (${what}): fit again from the data`)

const checkAll = ({ total }: Counts, sum: number, name: string): void => {
  if (isApart(sum, total)) throw changed(name, `a total of ${sum}, not ${total}`)
}

/**
 * Sums of other data, or not of all of it, are an error, not a model: a table that someone has changed, a part of an answer that was lost. In every model's
 * sums the classes together have of each label what the data has.
 */
const checkUnchanged = (data: Counts, cells: number, into: readonly Statistics[], name: string): void => {
  if (cells !== data.cells) throw changed(name, `${cells} cells where there were ${data.cells}`)
  for (const { sizes, factors, logLikelihood } of into) {
    // Cells that are impossible under the model are in no sum.
    if (logLikelihood === Number.NEGATIVE_INFINITY) continue
    checkAll(data, sumOf(sizes), name)
    data.marginals.forEach((known, n) => {
      for (let label = 0; label < known.length; label++) {
        const sum = sumOf(factors[n].subarray(label * sizes.length, (label + 1) * sizes.length))
        // Before the data is counted nothing is known of its labels.
        if (known[label] > 0 && isApart(sum, known[label])) {
          const mode = data.modes[n]
          throw changed(name, `${mode.name} ${JSON.stringify(mode.label(label))}: ${sum}, not ${known[label]}`)
        }
      }
    })
  }
}
