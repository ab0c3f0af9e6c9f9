import { CELLS } from './cells-readers.ts'
import type { FuzzedReader } from './fuzz.ts'
import { MODELS } from './model-readers.ts'
import { PROJECTS } from './project-readers.ts'
import { DATABASE, TABLES } from './table-readers.ts'
import { TEXTS } from './text-readers.ts'

/** Every reader of files, and of texts that options are. */
export const FUZZED: readonly FuzzedReader[] = [...TABLES, ...CELLS, ...MODELS, ...PROJECTS, ...TEXTS, ...DATABASE]

/** How many files of a reader are read. */
interface Files {
  /** By `npm test`. */
  readonly usual: number
  /** The part of the files that the slow suite reads. */
  readonly part: number
}

const MOST: Files = { usual: 2000, part: 1 }

/** A file of these takes longer than 0.2 ms, so fewer are read: `npm test` has about 0.4 s for each reader. */
const FEWER: Readonly<Record<string, Files>> = {
  // Four kinds of packing, each a column at a time.
  Parquet: { usual: 200, part: 1 },
  // Inflated as a stream, which takes longer than what is in it.
  'compressed SPSS': { usual: 300, part: 1 },
  R: { usual: 300, part: 1 },
  // XML in an archive: 2 ms and 1 ms.
  Excel: { usual: 100, part: 1 },
  OpenDocument: { usual: 150, part: 1 },
  // Two files, and a session on the second.
  'labels beside .tns': { usual: 500, part: 1 },
  '.polyad cells': { usual: 250, part: 1 },
  // All that a file says is shown: texts, and tables for a paper.
  'a model as .npz': { usual: 200, part: 1 },
  'a model as .json': { usual: 200, part: 1 },
  'a report of a model': { usual: 30, part: 0.1 },
  // The work goes on from where the file says that it is: 3 ms.
  checkpoint: { usual: 60, part: 0.5 },
  // An archive of archives.
  'a file of a project': { usual: 300, part: 1 },
  'a model opened in the page': { usual: 400, part: 1 },
  // A folder is listed, and three files in it are opened.
  'a folder of projects': { usual: 150, part: 1 },
  // Several statements, in a process of its own: 10 ms.
  'CSV, by DuckDB': { usual: 10, part: 0.02 },
  'packed CSV, by DuckDB': { usual: 10, part: 0.02 },
  'JSON rows, by DuckDB': { usual: 10, part: 0.02 },
  'Parquet, by DuckDB': { usual: 10, part: 0.02 },
  'SPSS, by DuckDB': { usual: 10, part: 0.02 },
}

export const filesOf = ({ name }: FuzzedReader): Files => FEWER[name] ?? MOST
