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
    /** The same in parts, where it speaks of options: a page has its own words for them. */
    readonly wording?: Wording | undefined
    /** Where in the data, where that is known: row, cell, line, column. */
    readonly place?: object
  }
}

/** An error as an answer; undefined for one that nobody foresaw. */
export const faultAnswer = (error: unknown): { status: number; body: FaultBody } | undefined => {
  if (!(error instanceof Error)) return undefined
  const { message, wording } = error as Error & { readonly wording?: Wording }
  if (error instanceof RequestFault) return { status: error.status, body: { error: { kind: 'request', message } } }
  if (error instanceof DataError) {
    const place = Object.keys(error.place).length > 0 ? { place: error.place } : {}
    return { status: 422, body: { error: { kind: 'data', message, wording, ...place } } }
  }
  if (error instanceof OptionError) return { status: 400, body: { error: { kind: 'option', message, wording } } }
  if (error instanceof EngineError) return { status: 500, body: { error: { kind: 'engine', message, wording } } }
  return undefined
}
