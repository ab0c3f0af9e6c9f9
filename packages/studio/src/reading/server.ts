import { OptionError } from '@polyad/core'
import type { ReadResult } from 'polyad/table'
import type { ReadOptions, TableSummary } from '../worker/protocol.ts'

/** Files that are read by the server of the studio, where there is one. */

const refused = (): never => {
  throw new OptionError('there is no server behind this page')
}

export const inspectOnServer = async (_id: string, _options: ReadOptions): Promise<TableSummary> => refused()

export const readOnServer = async (_id: string, _options: ReadOptions): Promise<ReadResult> => refused()
