import { DataError, EngineError, OptionError } from '@polyad/core'
import type { Wording } from '@polyad/core/options'

/** A request that cannot be answered: the message is for the person before the page, the status for the page. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What the page is told of an error. */
export interface FaultBody {
  readonly error: {
    readonly kind: 'data' | 'option' | 'engine' | 'request'
    readonly message: string
    /** The same in parts, if it mentions options: a page has its own words for them. */
    readonly wording?: Wording | undefined
    /** Where in the data, where that is known: row, cell, line, column. */
    readonly place?: object
  }
}

const ANSWERS = [
  ...([
    [DataError, 422, 'data'],
    [OptionError, 400, 'option'],
    [EngineError, 500, 'engine'],
  ] as const),
]

/** An error as an answer; undefined for one that nobody foresaw. */
export const faultAnswer = (error: unknown): { status: number; body: FaultBody } | undefined => {
  if (error instanceof RequestFault)
    return { status: error.status, body: { error: { kind: 'request', message: error.message } } }
  const [, status, kind] = ANSWERS.find(([known]) => error instanceof known) ?? []
  if (status === undefined || kind === undefined) return undefined
  const { message, wording, place = {} } = error as Error & { readonly wording?: Wording; readonly place?: object }
  return { status, body: { error: { kind, message, wording, ...(Object.keys(place).length > 0 && { place }) } } }
}
