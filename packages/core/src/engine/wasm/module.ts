import { EngineError } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import { nodeModule } from '../../thread/node-module.ts'
import { FIXED_RANKS, KERNELS, SMALL_RANKS } from './generated/kernels.ts'

/** What the first module of kernels exports, besides one function per kernel. Pointers are byte offsets into its memory. */
export interface Kernels {
  log(x: number): number
  pad(table: number, rows: number, rank: number, padded: number): void
  ones(table: number, bytes: number): void
  zero(table: number, bytes: number): void
  add(target: number, source: number, bytes: number): void
  joinPairs(pairs: number, rows: number, left: number, right: number, table: number, row: number): void
  joinSingle(pairs: number, rows: number, left: number, right: number, table: number, row: number): void
  flush(target: number, source: number, numbers: number): void
  splitPairs(pairs: number, rows: number, left: number, right: number, table: number, row: number): void
}

/** Runs some blocks of the lane that the context describes; returns their log-likelihood. */
export type Kernel = (context: number, first: number, count: number) => number

/** Measures some blocks of the lane that the context describes; adds to the numbers at `out`. */
export type MeasureKernel = (context: number, first: number, count: number, out: number) => void

/** A module of kernels: those of few classes, of a rank, of any rank, in single precision, or those that measure. */
export type KernelPart = keyof typeof KERNELS

/** The module that has the kernels of a padded rank. */
export const kernelPart = (padded: number, single: boolean): KernelPart =>
  single
    ? 'single'
    : padded <= SMALL_RANKS
      ? 'small'
      : padded <= FIXED_RANKS
        ? (`rank${padded}` as KernelPart)
        : 'tiled'

const compiled: Partial<Record<KernelPart, Promise<WebAssembly.Module>>> = {}

/** A compiled module: compiled once, shared by all sessions and workers. */
export const compileKernels = (part: KernelPart): Promise<WebAssembly.Module> => {
  compiled[part] ??= compile(part)
  return compiled[part]
}

/** Deflated, kernels are a fifth as long in base 64, and pages load that much less. For `Response`, Node would load its whole client of HTTP. */
const unpacked = (packed: Uint8Array<ArrayBuffer>): BufferSource | Promise<BufferSource> =>
  nodeModule<Zlib>('node:zlib')?.inflateRawSync(packed) ??
  new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer()

interface Zlib {
  inflateRawSync(packed: Uint8Array): Uint8Array<ArrayBuffer>
}

const compile = async (part: KernelPart): Promise<WebAssembly.Module> => {
  try {
    return await compileText(await loadPart<string>(KERNELS[part]()))
  } catch (cause) {
    delete compiled[part]
    throw cause
  }
}

/** A module from what is in a generated file: deflated, in base 64. */
export const compileText = async (text: string): Promise<WebAssembly.Module> => {
  try {
    const packed = Uint8Array.from(atob(text), character => character.charCodeAt(0))
    return await WebAssembly.compile(await unpacked(packed))
  } catch (cause) {
    throw new EngineError('the kernels cannot be compiled: this machine has no WebAssembly with SIMD', { cause })
  }
}
