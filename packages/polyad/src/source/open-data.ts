import { existsSync, readdirSync, rmSync } from 'node:fs'
import { freemem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Counts, OptionError } from '@polyad/core'
import { type Closable, closable, describeCells, openCells, type StoredSession } from '@polyad/core/engine'
import { advise, defined, mention, words } from '@polyad/core/options'
import { removedAtExit, removeLeftover } from '../duckdb/leftovers.ts'
import { isAlive, makeScratch } from '../duckdb/scratch.ts'
import type { ReadResult } from '../table/reading/read-view.ts'
import { choice, grouped, type Note, sizeText, warning } from '../table/values/note.ts'
import { readTensor } from './read-tensor.ts'
import { checkCellsFile, isCellsFile, isTable, readTable, type SourceOptions, storedRecord } from './readers.ts'
import { withRemote } from './relation/remote.ts'
import { checkSourceOptions } from './source-options.ts'
import { readUnlessStopped } from './stoppable-reading.ts'
import type { ChoosePlace } from './store-table.ts'

export interface OpenOptions extends Omit<SourceOptions, 'threads'> {
  /** How many threads work on cells that stay on disk. Default: the cores of the machine. */
  readonly threads?: number
  /** A file that the cells are kept in, to be opened again at once. */
  readonly keep?: string
  /** What was asked for that needs the cells in memory: where they are too many it is refused. */
  readonly needsCells?: string | undefined
  /** How many bytes the work on the data will take, as `memoryOfFit` says: fewer cells are then kept in memory. */
  readonly reserve?: ((data: Counts) => number) | undefined
}

/** Data with its cells in a file, open. */
export interface StoredData extends Omit<ReadResult, 'tensor' | 'squares' | 'rowWeights' | 'replicates' | 'design'> {
  readonly tensor: Counts
  readonly session: StoredSession
  /** SHA-256 of the data, as `tensorDigest` gives it. */
  readonly digest: string
  /** With a memory limit: how many bytes are left for the work on the data. */
  readonly room?: number
  close(): Promise<void>
}

/** Data in memory, as `readTensor` gives it. */
export interface LoadedData extends ReadResult {
  readonly session?: undefined
  readonly room?: number
  close(): Promise<void>
}

export type OpenedData = LoadedData | StoredData

/** What part of the memory DuckDB may use, and what part sorting. The rest is for programs themselves, and DuckDB takes more than it is told. */
const SHARES = { tables: 0.3, sorting: 0.12 }
/** With less DuckDB hardly reads anything. */
const LEAST = 1.5e8
/** Bytes that a process with its threads takes before it has any cells. */
const BASE = 3e8
/** Bytes that are used in any case to read a large table. */
const FLOOR = 5e8

/** About how many bytes a cell takes in memory at the moment when there are most: read, sorted and laid out. */
const bytesOfCell = (modes: number): number => 40 + 12 * modes

/** And while passes are made over it: in the tensor, and as the kernels read it. */
const bytesInUse = (modes: number): number => 16 + 8 * modes

/** How much memory there is, and what fits into it. */
interface Budget {
  /** Bytes in all. */
  readonly limit: number
  /** What DuckDB may use, where that was said. */
  readonly tables: { readonly memory?: string }
  /** How many cells of so many modes fit. */
  room(modes: number): number
  /** How many bytes of a limit that was given are left beside so many of cells. */
  left(bytes: number): { readonly room?: number }
  /** Whether cells are too many; refuses what needs them in memory if so. */
  exceeds(cells: number, modes: number): boolean
  /** Why cells are in a file. */
  reason(cells: number, modes: number, path: string): Note
}

const budgetOf = (memory: string | undefined, needsCells: string | undefined): Budget => {
  const given = memory === undefined ? undefined : bytesOf(memory)
  const limit = given ?? freeMemory() / 2
  const limitText = words`${sizeText(limit)} (${memory === undefined ? 'half of the memory that is free' : mention('memory', memory)})`
  const sizeOf = (cells: number, modes: number) => sizeText(BASE + cells * bytesOfCell(modes))
  // What is small goes into memory, however little that is to be.
  const room = (modes: number) => Math.max(limit - BASE, limit / 2) / bytesOfCell(modes)
  const share = (part: number) => `${Math.floor(Math.max(LEAST, part) / 1e6)}MB`
  return {
    limit,
    tables: given === undefined ? {} : { memory: share(SHARES.tables * given) },
    room,
    left: bytes => (given === undefined ? {} : { room: Math.max(0, given - BASE - bytes) }),
    exceeds: (cells, modes) => {
      if (cells <= room(modes)) return false
      if (needsCells === undefined) return true
      throw new OptionError(
        words`${needsCells} needs the cells in memory, where about ${grouped(cells)} of them take ${sizeOf(cells, modes)}, more than ${limitText}; leave it out, or ${given === undefined ? 'free some memory' : advise('raise', 'memory')}`,
      )
    },
    reason: (cells, modes, path) =>
      choice(
        words`about ${grouped(cells)} cells would take ${sizeOf(cells, modes)} in memory, more than ${limitText}: they stay on disk, in ${path}`,
      ),
  }
}

/**
 * Opens data: in memory if it fits, otherwise with its cells in a file that every pass reads. An estimate of the number of distinct cells decides. Close
 * it, so that temporary files are removed.
 * @example
 * const data = await openData('survey.csv', { count: 'n', memory: '1GB' })
 * const found = await fit(data.session ?? data.tensor, { rank: 2 })
 * await data.close()
 * found.model.rank // 2
 */
export const openData = async (
  named: string | readonly string[],
  options: OpenOptions = {},
): Promise<OpenedData & Closable> => {
  const { paths, options: given } = withRemote(typeof named === 'string' ? [named] : named, options)
  const late = (opened: OpenedData) => void opened.close()
  const data = await readUnlessStopped(given.signal, () => openWithin(paths, given), late)
  const { memory } = given
  if (memory === undefined || bytesOf(memory) >= FLOOR) return closable(data)
  const tooLittle = words`${mention('memory', memory)} is less than Polyad needs for itself: expect it to use up to ${sizeText(FLOOR)}`
  return closable({ ...data, notes: [...data.notes, warning('memory', tooLittle)] })
}

const openWithin = async (paths: readonly string[], options: OpenOptions): Promise<OpenedData> => {
  const { keep, memory, threads, reserve = () => 0, ...given } = options
  const { needsCells = given.design ? 'design' : given.replicateWeights && 'replicateWeights', ...rest } = given
  checkSourceOptions('openData', rest)
  const budget = budgetOf(memory, needsCells)
  if (isCellsFile(paths, rest)) {
    checkCellsFile(paths, rest)
    const [path] = paths
    if (keep !== undefined)
      throw new OptionError('keep', `cannot be used with ${path}, which is a file of cells already`)
    const { cells, shape } = describeCells(path).counts
    if (budget.exceeds(cells, shape.length))
      return {
        ...(await openStored(path, budget, threads, reserve)),
        notes: [budget.reason(cells, shape.length, path)],
      }
  }
  const opening = async () => {
    if (isTable(paths, rest)) return openTable(paths, { ...rest, ...budget.tables }, budget, keep, threads, reserve)
    const data = await readTensor(paths, { ...rest, ...defined({ memory }) })
    return kept(data, keep, budget, rest.signal)
  }
  if (keep === undefined) return opening()
  sweepParts(keep)
  return opening().finally(removedAtExit({ path: partOf(keep) }))
}

/** Opens a file of cells, and keeps in memory what there is room for. */
const openStored = async (
  path: string,
  { limit, left }: Budget,
  threads: number | undefined,
  reserve: (data: Counts) => number,
): Promise<Omit<StoredData, 'notes'>> => {
  const session = await openCells(path, {
    // The cells that are not kept are read anew in every pass, which is slower; a fit without its history would be too.
    memory: Math.max(0, 0.8 * (limit - BASE - reserve(describeCells(path).counts))),
    ...defined({ threads }),
  })
  const { data, record } = session
  const names = data.modes.map(({ name }) => name)
  return {
    ...storedRecord(record, names, { path, cells: data.cells }),
    tensor: data,
    session,
    ...left(session.resident),
    close: () => session.close(),
  }
}

/** Reads a table into memory, or into a file that is then open. */
const openTable = async (
  paths: readonly string[],
  options: SourceOptions,
  budget: Budget,
  keep: string | undefined,
  threads: number | undefined,
  reserve: (data: Counts) => number,
): Promise<OpenedData> => {
  let forget = () => {}
  const notes: Note[] = []
  try {
    const choosePlace: ChoosePlace = {
      room: budget.room,
      place: (cells, modes) => {
        if (!budget.exceeds(cells, modes)) return undefined
        const scratch = makeScratch()
        const release = removedAtExit({ path: scratch })
        forget = () => {
          release()
          removeLeftover({ path: scratch })
        }
        notes.push(budget.reason(cells, modes, keep ?? 'a temporary file'))
        return {
          path: keep ?? join(scratch, 'cells.polyad'),
          folder: scratch,
          memory: SHARES.sorting * budget.limit,
          signal: options.signal,
        }
      },
    }
    const data = await readTable(paths, options, async tables => {
      const { readTableTo } = await import('./store-table.ts')
      return readTableTo(choosePlace, tables, paths, options)
    })
    if (!('file' in data)) {
      forget()
      return await kept(data, keep, budget, options.signal)
    }
    const { rows, dropped, recipe, source, population, file } = data
    const opened = await openStored(file.path, budget, threads, reserve)
    return {
      ...opened,
      rows,
      dropped,
      recipe,
      source,
      notes: [...data.notes, ...notes],
      ...defined({ population }),
      close: async () => {
        await opened.close()
        forget()
      },
    }
  } catch (error) {
    forget()
    throw error
  }
}

/** Data in memory, also written into a file where it is to be kept. */
const kept = async (
  data: ReadResult,
  keep: string | undefined,
  { left }: Budget,
  signal: AbortSignal | undefined,
): Promise<LoadedData> => {
  if (keep !== undefined) {
    const { keepCells } = await import('./cells/keep-cells.ts')
    await keepCells(data, keep, signal)
  }
  const { cells, shape } = data.tensor
  return { ...data, ...left(cells * bytesInUse(shape.length)), close: async () => {} }
}

/** What a file of cells is called while this process writes it. */
const partOf = (keep: string): string => `${keep}.${process.pid}.part`

/** Removes what processes that were killed have left of a file that they were to keep. */
const sweepParts = (keep: string): void => {
  const folder = dirname(keep)
  const name = basename(keep)
  if (!existsSync(folder)) return
  for (const part of readdirSync(folder)) {
    const pid = part.startsWith(`${name}.`) ? Number(/^\.(\d+)\.part$/.exec(part.slice(name.length))?.[1]) : Number.NaN
    if (pid > 0 && !isAlive(pid)) rmSync(join(folder, part), { force: true })
  }
}

/** Bytes of memory that nobody uses, and that this process may. */
export const freeMemory = (): number => (process as { availableMemory?: () => number }).availableMemory?.() ?? freemem()

const UNITS = { K: 1, M: 2, G: 3, T: 4 } as const

/** The bytes that a size such as 1GB or 512MiB stands for. */
export const bytesOf = (text: string): number => {
  const [, number, unit, binary] = /^(\d+(?:\.\d+)?) ?([KMGT])(i?)B$/i.exec(text.trim()) ?? []
  if (number === undefined) throw new OptionError('memory', 'must be a size such as 4GB', text)
  return Number(number) * (binary === '' ? 1000 : 1024) ** UNITS[unit.toUpperCase() as keyof typeof UNITS]
}
