import { EngineError } from '../../errors.ts'
import { FREE_FROM } from './generated/kernels.ts'
import { compileKernels, type Kernel, type KernelPart, type Kernels, type MeasureKernel } from './module.ts'

const PAGE = 65536
/** WebAssembly memories end at 4 GB; the last page is left alone so that no pointer reaches past it. */
export const MOST_BYTES = PAGE * 65535
const ALIGN = 64
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGN) * ALIGN

/** A WebAssembly memory with the kernels in it, handed out from the bottom up. */
export interface Arena {
  readonly kernels: Kernels
  /** Whether the kernels of a part are in it: the first is from the beginning. */
  has(part: KernelPart): boolean
  load(part: KernelPart): Promise<void>
  kernel(name: string): Kernel
  measureKernel(name: string): MeasureKernel
  /** Takes bytes from the top; call `commit` before using them. */
  take(bytes: number): number
  /** Makes all that was taken usable. */
  commit(): void
  /** Views of the whole memory, valid after `commit`. */
  readonly f64: Float64Array
  readonly u32: Uint32Array
  readonly u8: Uint8Array
  /** Where the next bytes would be taken from. */
  readonly top: number
  /** Forgets all that was taken from a former top on; without one, all that was ever taken. */
  reset(top?: number): void
  /** Bytes of the memory. */
  readonly size: number
}

export const newArena = async (): Promise<Arena> => {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(FREE_FROM / PAGE) })
  const parts = new Set<KernelPart>()
  const all: Record<string, unknown> = {}
  const load = async (part: KernelPart): Promise<void> => {
    if (parts.has(part)) return
    const { exports } = await WebAssembly.instantiate(await compileKernels(part), {
      env: { memory },
      kernels: all as never,
    })
    Object.assign(all, exports)
    parts.add(part)
  }
  await load('small')
  const kernels = all as unknown as Kernels
  const bottom = aligned(FREE_FROM)
  let top = bottom
  let f64 = new Float64Array(memory.buffer)
  let u32 = new Uint32Array(memory.buffer)
  let u8 = new Uint8Array(memory.buffer)
  return {
    kernels,
    has: part => parts.has(part),
    load,
    kernel: name => all[name] as Kernel,
    measureKernel: name => all[name] as MeasureKernel,
    take(bytes) {
      const at = top
      top = aligned(top + bytes)
      if (top > MOST_BYTES) {
        throw new EngineError(`${(top / 2 ** 30).toFixed(1)} GB are needed in one WebAssembly memory, which has 4 GB`)
      }
      return at
    },
    commit() {
      const pages = Math.ceil(top / PAGE) - memory.buffer.byteLength / PAGE
      if (pages > 0) grow(memory, pages)
      f64 = new Float64Array(memory.buffer)
      u32 = new Uint32Array(memory.buffer)
      u8 = new Uint8Array(memory.buffer)
    },
    get f64() {
      return f64
    },
    get u32() {
      return u32
    },
    get u8() {
      return u8
    },
    get top() {
      return top
    },
    reset(to = bottom) {
      top = to
    },
    get size() {
      return memory.buffer.byteLength
    },
  }
}

const grow = (memory: WebAssembly.Memory, pages: number): void => {
  try {
    memory.grow(pages)
  } catch (cause) {
    const wanted = (memory.buffer.byteLength + pages * PAGE) / 2 ** 20
    throw new EngineError(`out of memory: ${wanted.toFixed(0)} MB were requested and not granted`, { cause })
  }
}

/** Arenas of closed sessions, kept for the next one: opening a session then costs no new memory. */
export interface ArenaPool {
  borrow(): Promise<Arena>
  giveBack(arena: Arena): void
}

/** How many arenas are kept, and how large one may be to be kept. */
const KEPT = 4
const KEPT_BYTES = 16 * 2 ** 20

export const newArenaPool = (): ArenaPool => {
  const free: Arena[] = []
  return {
    borrow: async () => free.pop() ?? newArena(),
    giveBack(arena) {
      arena.reset()
      if (free.length < KEPT && arena.size <= KEPT_BYTES) free.push(arena)
    },
  }
}
