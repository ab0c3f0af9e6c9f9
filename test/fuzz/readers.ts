import { CELLS } from './cells-readers.ts'
import type { FuzzedReader } from './fuzz.ts'
import { MODELS } from './model-readers.ts'
import { PROJECTS } from './project-readers.ts'
import { DATABASE, TABLES } from './table-readers.ts'
import { TEXTS } from './text-readers.ts'

/** Every reader of files, and of texts that options are. */
export const FUZZED: readonly FuzzedReader[] = [...TABLES, ...CELLS, ...MODELS, ...PROJECTS, ...TEXTS, ...DATABASE]
