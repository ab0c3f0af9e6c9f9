import type { DataFile, OpenOptions } from '../../worker/protocol.ts'

/** What a person can say of how a file is written, where it is not found out. */
export const OPEN_OPTIONS = ['delimiter', 'encoding', 'sheet'] as const
export type OpenOption = (typeof OPEN_OPTIONS)[number]

/** What a person said of how a file is written, as options of opening it: nothing where it was found out. */
export const openOptions = (file: DataFile | null): OpenOptions =>
  file?.from !== 'bytes'
    ? {}
    : Object.fromEntries(OPEN_OPTIONS.flatMap(name => (file[name] === undefined ? [] : [[name, file[name]]])))
