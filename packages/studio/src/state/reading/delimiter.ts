import type { DataFile, ReadOptions } from '../../worker/protocol.ts'

/** What a person said stands between the values of a file; undefined where it was found out. */
export const delimiterOf = (file: DataFile | null): string | undefined =>
  file?.from === 'bytes' ? file.delimiter : undefined

/** Commands that read a file so. */
export const commandWith = (command: string, delimiter: string | undefined): string =>
  delimiter === undefined
    ? command
    : command.replace(/^polyad (fit|rank) /gm, (start: string) => `${start}--delimiter ${quoted(delimiter)} `)

const quoted = (delimiter: string): string => (/^\w+$/.test(delimiter) ? delimiter : `'${delimiter}'`)

/** Options of a program that reads a file so. */
export const optionsWith = (read: ReadOptions, delimiter: string | undefined): ReadOptions =>
  delimiter === undefined ? read : { ...read, ...{ delimiter } }
