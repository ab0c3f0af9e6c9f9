import type { DataFile, OpenOptions } from '../../worker/protocol.ts'

/** What a person can say of how a file is written, where it is not detected. */
export const OPEN_OPTIONS = ['delimiter', 'encoding', 'sheet', 'header', 'skipRows', 'decimal', 'thousands'] as const
export type OpenOption = (typeof OPEN_OPTIONS)[number]

/** What a person said of how a file is written, as options of opening it: nothing where it was detected. */
export const openOptions = (file: DataFile | null): OpenOptions =>
  file === null
    ? {}
    : Object.fromEntries(OPEN_OPTIONS.flatMap(name => (file[name] === undefined ? [] : [[name, file[name]]])))
