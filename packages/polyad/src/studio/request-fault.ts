import { DataError, EngineError, OptionError } from '@polyad/core'

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
    /** Where in the data, where that is known: row, cell, line, column. */
    readonly place?: object
  }
}

/** An error as an answer; undefined for one that nobody foresaw. */
export const faultAnswer = (error: unknown): { status: number; body: FaultBody } | undefined => {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (error instanceof RequestFault) return { status: error.status, body: { error: { kind: 'request', message } } }
  if (error instanceof DataError) {
    const place = Object.keys(error.place).length > 0 ? { place: error.place } : {}
    return { status: 422, body: { error: { kind: 'data', message, ...place } } }
  }
  if (error instanceof OptionError) return { status: 400, body: { error: { kind: 'option', message } } }
  if (error instanceof EngineError) return { status: 500, body: { error: { kind: 'engine', message } } }
  return undefined
}
