import { EngineError } from '../../errors.ts'
import { KERNELS } from './generated/kernels.ts'

/** What the kernels' module exports, besides one function per kernel. Pointers are byte offsets into its memory. */
export interface Kernels {
  freeFrom(): number
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

let compiled: Promise<WebAssembly.Module> | undefined

/** The compiled module: compiled once, shared by all sessions and workers. */
export const compileKernels = (): Promise<WebAssembly.Module> => {
  compiled ??= compile()
  return compiled
}

const compile = async (): Promise<WebAssembly.Module> => {
  const packed = Uint8Array.from(atob(KERNELS), character => character.charCodeAt(0))
  try {
    // Deflated, they are a fifth as long in base 64, and pages load that much less.
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return await WebAssembly.compile(await new Response(unpacked).arrayBuffer())
  } catch (cause) {
    compiled = undefined
    throw new EngineError('the kernels cannot be compiled: this machine has no WebAssembly with SIMD', { cause })
  }
}
