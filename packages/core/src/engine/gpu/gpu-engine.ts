import { knownOptions } from '../../options.ts'
import type { Engine, Session } from '../engine.ts'
import { type WasmEngineOptions, wasmEngine } from '../wasm/wasm-engine.ts'
import type { Card } from './card.ts'
import { openCard } from './device.ts'
import { openCardSession } from './session.ts'

export interface GpuEngineOptions extends WasmEngineOptions {
  /** A `GPUDevice` that is open already. Default: the first that WebGPU offers. */
  readonly device?: object
  /** What has `requestAdapter`, where it is not `navigator.gpu`: what `create` of the package webgpu gives, in Node. */
  readonly gpu?: object
}

/**
 * The engine of graphics devices, by WebGPU: passes in single precision on the card, and the end of every fit in double precision
 * by the WebAssembly engine on the same cells. The same card gives the same bits every time.
 * @example
 * if ('gpu' in navigator) await fit(answers, { rank: 2, engine: gpuEngine() })
 */
export const gpuEngine = (options: GpuEngineOptions = {}): Engine => {
  knownOptions('gpuEngine', options, ['device', 'gpu', 'threads', 'sharedMemory'])
  const { device, gpu, ...rest } = options
  const processor = wasmEngine(rest)
  let card: Promise<Card> | undefined
  return {
    name: 'gpu',
    async open(tensor) {
      card ??= openCard(device as GPUDevice | undefined, gpu as never)
      const opened = await card
      const double = await processor.open(tensor)
      try {
        return withSingle(double, await openCardSession(opened, tensor, double))
      } catch (error) {
        await double.close()
        throw error
      }
    },
  }
}

/** A session with another of the same cells in single precision, closed with it. */
const withSingle = (double: Session, single: Session): Session => ({
  ...double,
  single,
  async close() {
    await single.close()
    await double.close()
  },
})
