import { EngineError, type Tensor } from '@polyad/core'
import { type Engine, gpuEngine, wasmEngine } from '@polyad/core/engine'
import { checkedOptions, is, type OptionTable } from '@polyad/core/options'

/** The package that has WebGPU for Node. */
const PACKAGE = 'webgpu'

/** Below this many cells × modes nothing is gained on a graphics device: passes are over before it has begun. */
const LARGE = 3e6

export interface GraphicsOptions {
  readonly threads?: number
  /** Told, in place of an error, why the processor does the work. */
  readonly onFallback?: (reason: string) => void
  /** The package that has WebGPU. Default: webgpu. */
  readonly module?: string
}

const OPTIONS = {
  threads: { check: is.whole(1, 1024) },
  onFallback: { check: is.function },
  module: { check: is.text, default: PACKAGE },
} satisfies OptionTable<GraphicsOptions>

/**
 * The engine of graphics devices in Node, by the package webgpu. With `onFallback` data is opened on the processor if there is no device or
 * too little memory on it, and small data always is; else that is an error.
 * @example
 * const engine = await graphicsEngine({ onFallback: reason => console.warn(reason) })
 * const { loss } = await fit(answers, { rank: 2, engine })
 */
export const graphicsEngine = async (options: GraphicsOptions = {}): Promise<Engine<Tensor>> => {
  const { threads, onFallback, module } = checkedOptions('graphicsEngine', OPTIONS, options)
  const own = threads === undefined ? {} : { threads }
  const processor = wasmEngine(own)
  try {
    const gpu = await webGpu(module)
    const device = gpuEngine({ ...own, gpu })
    if (onFallback === undefined) return device
    return {
      name: device.name,
      open: async (tensor, signal) => {
        if (tensor.cells * tensor.shape.length < LARGE) return processor.open(tensor, signal)
        try {
          return await device.open(tensor, signal)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          onFallback(error.message)
          return processor.open(tensor, signal)
        }
      },
    }
  } catch (error) {
    if (!(error instanceof EngineError) || onFallback === undefined) throw error
    onFallback(error.message)
    return processor
  }
}

/** What `navigator.gpu` is in a browser. */
const webGpu = async (module: string): Promise<object> => {
  try {
    const { create } = await import(module)
    return create([])
  } catch (cause) {
    const absent = (cause as { code?: string }).code === 'ERR_MODULE_NOT_FOUND'
    throw new EngineError(
      absent
        ? `graphics devices need the package ${module}, which is not installed: npm install ${module}`
        : `the package ${module} could not be loaded: ${(cause as Error).message}`,
      { cause },
    )
  }
}
