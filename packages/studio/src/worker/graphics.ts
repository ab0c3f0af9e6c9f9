import type { Session, Tensor } from '@polyad/core'
import { type Engine, gpuEngine } from '@polyad/core/engine'
import type { FitOutcome, JobHandler } from './protocol.ts'

interface Gpu {
  requestAdapter(): Promise<object | null>
}

/** Whether the browser offers a graphics device to compute on. */
export const findGraphics: JobHandler<'graphics'> = async () => {
  const { gpu } = navigator as { readonly gpu?: Gpu }
  try {
    return ((await gpu?.requestAdapter()) ?? null) !== null
  } catch {
    return false
  }
}

/** The note of a fit that could not go on in single precision: on the device, if its data lies there. */
const FAILED = /^single precision failed, and the fit went on in double: (.*?)\.?$/s

/** Where a fit is done, and what there is to say of the device in its outcome. */
export interface Placed {
  /** Absent if the device cannot be used: the fit is then left to the processor. */
  readonly session: Session | undefined
  complete(found: FitOutcome): Promise<FitOutcome>
}

/** The graphics device with the data that lies on it. */
export class Graphics {
  readonly #make: () => Engine
  /** Another is made after a failure. */
  #engine: Engine | undefined
  #open: { readonly tensor: Tensor; readonly session: Session } | undefined

  constructor(make: () => Engine) {
    this.#make = make
  }

  /** Places data on the device, unless it is there already; other data is taken off. */
  async place(tensor: Tensor, signal: AbortSignal): Promise<Placed> {
    try {
      return this.#watched(this.#open?.tensor === tensor ? this.#open.session : await this.#opened(tensor, signal))
    } catch (error) {
      this.#engine = undefined
      if (signal.aborted) throw error
      const reason = (error as Error).message.replace(/\.$/, '')
      const warning = `The graphics device could not be used, so the fit ran on the processor: ${reason}.`
      return {
        session: undefined,
        complete: async found => ({ ...found, warnings: [warning, ...(found.warnings ?? [])] }),
      }
    }
  }

  /** Takes the data off the device. */
  async clear(): Promise<void> {
    const last = this.#open
    this.#open = undefined
    await last?.session.close()
  }

  async #opened(tensor: Tensor, signal: AbortSignal): Promise<Session> {
    await this.clear()
    this.#engine ??= this.#make()
    const session = await this.#engine.open(tensor, signal)
    this.#open = { tensor, session }
    return session
  }

  #watched(session: Session): Placed {
    let used = false
    const onUse = () => {
      used = true
    }
    return {
      session: { ...session, ...(session.single && { single: watched(session.single, onUse) }) },
      complete: async found => {
        const { warnings = [] } = found
        if (!warnings.some(text => FAILED.test(text))) return { ...found, graphics: used ? 'used' : 'unused' }
        this.#engine = undefined
        await this.clear()
        const words = 'The graphics device failed, and the processor finished the fit: $1.'
        return { ...found, warnings: warnings.map(text => text.replace(FAILED, words)) }
      },
    }
  }
}

/** A session that tells when it is given work. */
const watched = (session: Session, onUse: () => void): Session => {
  const { descents } = session
  return {
    ...session,
    pass: (...given) => {
      onUse()
      return session.pass(...given)
    },
    ...(descents !== undefined && {
      descents: {
        open: (...given) => {
          onUse()
          return descents.open(...given)
        },
      },
    }),
  }
}

/** The device of this worker. */
export const graphics = new Graphics(gpuEngine)
