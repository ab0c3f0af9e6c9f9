import { EngineError } from '../../errors.ts'
import { compileText } from '../wasm/module.ts'
import { LINKED } from './generated/linked.ts'

/** Kernels for a number of classes or group classes. Pointers are byte offsets into the memory. */
export interface LinkedKernels {
  /** Computes P[row | class] of every cell; returns how many must be done with care. */
  emit(context: number): number
  /** Adds the posteriors of cells up to the statistics of every mode. */
  collect(context: number): void
  /** The recursion for some blocks of persons; returns their log-likelihood. */
  chain(context: number, first: number, end: number): number
}

/** Sums over the members of groups. */
export interface GroupKernels {
  gather(context: number, first: number, end: number): void
  scatter(context: number, first: number, end: number): void
}

type Exports = Record<string, (...values: number[]) => number>

/** The largest number of classes that has kernels of its own. */
const FIXED = 8
/** Where the context is; the constants of the kernels are below it. */
export const CONTEXT = 4096
/** Where the memory is free. */
export const FREE = 8192
const PAGE = 65536
const MOST_PAGES = 65535

/** What a row of numbers by class is padded to. */
export const padded = (count: number): number => count + (count % 2)

const suffixOf = (count: number): string => `_${count <= FIXED ? padded(count) : 'any'}`

/**
 * The memory in which the kernels work, one for each thread: whoever does a pass places there what is not there any more. Memories of WebAssembly take much of
 * the address space, so that passes do not have one each.
 */
export class LinkedArena {
  /** Whose data is there. */
  owner: unknown
  f64: Float64Array
  i32: Int32Array
  readonly #memory: WebAssembly.Memory
  readonly #exports: Exports

  constructor(module: WebAssembly.Module) {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })
    this.#exports = new WebAssembly.Instance(module, { env: { memory: this.#memory } }).exports as unknown as Exports
    this.f64 = new Float64Array(this.#memory.buffer)
    this.i32 = new Int32Array(this.#memory.buffer)
  }

  kernels(rank: number): LinkedKernels {
    const own = suffixOf(rank)
    const [emit, collect, chain] = ['emit', 'collect', 'chain'].map(name => this.#exports[name + own])
    return { emit, collect, chain }
  }

  groupKernels(groupClasses: number): GroupKernels {
    const own = suffixOf(groupClasses)
    return { gather: this.#exports[`gather${own}`], scatter: this.#exports[`scatter${own}`] }
  }

  /** Makes room; what is there stays. */
  reserve(bytes: number): void {
    const missing = Math.ceil(bytes / PAGE) - this.#memory.buffer.byteLength / PAGE
    if (missing <= 0) return
    try {
      this.#memory.grow(missing)
    } catch (cause) {
      const megabytes = (bytes / 2 ** 20).toFixed(0)
      throw new EngineError(`out of memory: rows that belong together need ${megabytes} MB, in one memory`, { cause })
    }
    this.f64 = new Float64Array(this.#memory.buffer)
    this.i32 = new Int32Array(this.#memory.buffer)
  }
}

let arena: Promise<LinkedArena> | undefined

/** The memory of this thread. */
export const linkedArena = async (): Promise<LinkedArena> => {
  arena ??= compileText(LINKED).then(module => new LinkedArena(module))
  try {
    return await arena
  } catch (cause) {
    arena = undefined
    throw cause
  }
}
