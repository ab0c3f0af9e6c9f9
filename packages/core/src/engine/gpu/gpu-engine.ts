import { closable } from '../../closable.ts'
import { knownOptions } from '../../options.ts'
import { hasCells, type Tensor } from '../../tensor/tensor.ts'
import type { ClosableSession, Engine, Session } from '../engine.ts'
import { WASM_ENGINE_OPTIONS, type WasmEngineOptions, wasmEngine } from '../wasm/wasm-engine.ts'
import type { Card } from './card.ts'
import { openCard } from './device.ts'
import { cardSession, openCardSession } from './session.ts'

export interface GpuEngineOptions extends WasmEngineOptions {
  /** A `GPUDevice` that is open already. Default: the first that WebGPU offers. */
  readonly device?: object
  /** What has `requestAdapter`, if it is not `navigator.gpu`: what `create` of the package webgpu returns, in Node. */
  readonly gpu?: object
}

/**
 * The engine of graphics devices, by WebGPU: passes in single precision there, and the end of every fit in double precision by the WebAssembly engine on
 * the same cells. One device gives the same bits every time. Without a device, or with too little memory on it, opening data fails with an
 * `EngineError`.
 * @example
 * const engine = globalThis.navigator?.gpu ? gpuEngine() : wasmEngine()
 * const { loss } = await fit(answers, { rank: 2, engine })
 */
export const gpuEngine = (options: GpuEngineOptions = {}): Engine<Tensor, ClosableSession> => {
  knownOptions('gpuEngine', options, ['device', 'gpu', ...WASM_ENGINE_OPTIONS])
  const { device, gpu, ...rest } = options
  const processor = wasmEngine(rest)
  let card: Promise<Card> | undefined
  let sessions = 0
  /** A device that was opened here ends with its last session: nothing is then left of it, and a program can end. */
  const leave = async (opened: Card) => {
    if (--sessions > 0 || device !== undefined) return
    card = undefined
    opened.close()
  }
  return {
    name: 'gpu',
    async open(tensor, signal) {
      card ??= openCard(device as GPUDevice | undefined, gpu as never)
      const opened = await card.catch((error: unknown) => {
        card = undefined
        throw error
      })
      sessions++
      let double: Session | undefined
      try {
        double = await processor.open(tensor, signal)
        const single = await openCardSession(opened, tensor, double, signal)
        return withSingle(opened, double, single, () => leave(opened))
      } catch (error) {
        await double?.close()
        await leave(opened)
        throw error
      }
    },
  }
}

/** A session with another of the same cells on the card, closed with it. Folds and replicates with other values are on the card as well. */
const withSingle = (card: Card, double: Session, single: Session, leave = async () => {}): ClosableSession => {
  let closed = false
  const reweight = async (values: Float64Array) => {
    const other = await double.reweight!(values)
    return hasCells(other.data) ? withSingle(card, other, cardSession(card, other.data, other)) : other
  }
  return closable({
    ...double,
    single,
    ...(double.reweight !== undefined && { reweight }),
    async close() {
      if (closed) return
      closed = true
      await single.close()
      await double.close()
      await leave()
    },
  })
}
