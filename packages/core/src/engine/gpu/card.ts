import { EngineError } from '../../errors.ts'

/** A storage buffer on the card. */
export type Room = GPUBuffer

/** One step of work on the card: a pipeline, what it is bound to, and how many workgroups there are. */
export interface Dispatch {
  readonly pipeline: GPUComputePipeline
  readonly bindings: GPUBindGroup
  readonly workgroups: number
}

const STORAGE = 0x80 | 0x04 | 0x08 // STORAGE, COPY_SRC, COPY_DST
const UNIFORM = 0x40 | 0x08
const READ = 0x01 | 0x08 // MAP_READ, COPY_DST

/** Bytes that are made ready for the card at a time. */
export const STAGED = 64 * 2 ** 20

/** The most workgroups in one dimension. */
const ACROSS = 65_535

const gigabytes = (bytes: number): string =>
  bytes >= 2 ** 28 ? `${(bytes / 2 ** 30).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 2 ** 20))} MB`

/** A device with its pipelines, and what must be watched over: its memory, its loss. */
export class Card {
  readonly device: GPUDevice
  /** Lanes that can add up among each other; 1 where the device has no subgroups. */
  readonly lanes: number
  readonly limits: GPUSupportedLimits
  /** Why it can no longer be used. */
  #lost: string | undefined
  readonly pipelines = new Map<string, GPUComputePipeline>()
  /** What is not held here may be collected while the card still uses it. */
  readonly owners: readonly unknown[]

  constructor(device: GPUDevice, lanes: number, owners: readonly unknown[] = []) {
    this.device = device
    this.lanes = lanes
    this.limits = device.limits
    this.owners = owners
    void device.lost.then(({ message, reason }) => {
      this.#lost =
        reason === 'destroyed'
          ? 'the graphics device was closed'
          : `the graphics device was lost: ${message || 'no reason was given'}`
    })
  }

  /** Gives the device back; nothing can be done with it afterwards. */
  close(): void {
    this.device.destroy()
  }

  check(): void {
    if (this.#lost !== undefined) throw new EngineError(this.#lost)
  }

  /** The largest array that a kernel can be given. */
  get mostBytes(): number {
    return Math.min(this.limits.maxStorageBufferBindingSize, this.limits.maxBufferSize)
  }

  /** Reserves arrays, all of them or none. @param what they are for, in the message where they are too large */
  async rooms(what: string, bytes: readonly number[]): Promise<Room[]> {
    this.check()
    const most = Math.max(...bytes)
    if (most > this.mostBytes) {
      throw new EngineError(
        `${what} takes ${gigabytes(most)} in one piece, and this graphics device allows ${gigabytes(this.mostBytes)}: use fewer classes, or the engine of the processor`,
      )
    }
    const { device } = this
    device.pushErrorScope('out-of-memory')
    device.pushErrorScope('validation')
    const rooms: Room[] = []
    let cause: unknown
    try {
      for (const size of bytes)
        rooms.push(device.createBuffer({ size: Math.max(16, Math.ceil(size / 16) * 16), usage: STORAGE }))
    } catch (error) {
      cause = error
    }
    const errors = [await device.popErrorScope(), await device.popErrorScope()].filter(error => error !== null)
    if (cause === undefined && errors.length === 0) return rooms
    for (const room of rooms) room.destroy()
    const all = bytes.reduce((sum, size) => sum + size, 0)
    throw new EngineError(`the graphics device has too little memory: ${what} takes ${gigabytes(all)} more`, {
      cause: cause ?? new Error(errors[0]!.message),
    })
  }

  uniform(bytes: number): GPUBuffer {
    return this.device.createBuffer({ size: Math.max(16, Math.ceil(bytes / 16) * 16), usage: UNIFORM })
  }

  staging(bytes: number): GPUBuffer {
    return this.device.createBuffer({ size: Math.max(16, Math.ceil(bytes / 16) * 16), usage: READ })
  }

  write(buffer: GPUBuffer, data: ArrayBufferView<ArrayBuffer>, at = 0): void {
    this.device.queue.writeBuffer(buffer, at, data.buffer, data.byteOffset, data.byteLength)
  }

  /** The pipeline of a shader, made once. */
  async pipeline(code: string): Promise<GPUComputePipeline> {
    const known = this.pipelines.get(code)
    if (known !== undefined) return known
    this.check()
    const module = this.device.createShaderModule({ code })
    try {
      const pipeline = await this.device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module, entryPoint: 'main' },
      })
      this.pipelines.set(code, pipeline)
      return pipeline
    } catch (cause) {
      this.check()
      throw new EngineError('the graphics device rejected a program of the engine', { cause })
    }
  }

  bind(
    pipeline: GPUComputePipeline,
    buffers: Readonly<Record<number, GPUBuffer>>,
    parts: Readonly<Record<number, GPUBufferBinding>> = {},
  ): GPUBindGroup {
    const whole = Object.entries(buffers).map(([binding, buffer]) => [binding, { buffer }] as const)
    return this.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [...whole, ...Object.entries(parts)].map(([binding, resource]) => ({
        binding: Number(binding),
        resource,
      })),
    })
  }

  async step(code: string, buffers: Readonly<Record<number, GPUBuffer>>, workgroups: number): Promise<Dispatch> {
    const pipeline = await this.pipeline(code)
    return { pipeline, bindings: this.bind(pipeline, buffers), workgroups }
  }

  /** Hands work to the card; what is copied then lies in the staging buffer. */
  submit(
    steps: readonly Dispatch[],
    copies: readonly { from: GPUBuffer; at: number; bytes: number; to: GPUBuffer; into: number }[] = [],
  ): void {
    this.check()
    const encoder = this.device.createCommandEncoder()
    if (steps.length > 0) {
      const pass = encoder.beginComputePass()
      let last: GPUComputePipeline | undefined
      for (const { pipeline, bindings, workgroups } of steps) {
        if (workgroups === 0) continue
        if (pipeline !== last) pass.setPipeline(pipeline)
        last = pipeline
        pass.setBindGroup(0, bindings)
        const across = Math.min(ACROSS, workgroups)
        pass.dispatchWorkgroups(across, Math.ceil(workgroups / across))
      }
      pass.end()
    }
    for (const { from, at, bytes, to, into } of copies) encoder.copyBufferToBuffer(from, at, to, into, bytes)
    this.device.queue.submit([encoder.finish()])
  }

  /** What a staging buffer holds, once the card has come to it. */
  async read(staging: GPUBuffer, bytes: number): Promise<Float32Array> {
    try {
      await staging.mapAsync(1, 0, bytes)
    } catch (cause) {
      this.check()
      throw new EngineError('the graphics device returned no result', { cause })
    }
    const copy = new Float32Array(staging.getMappedRange(0, bytes).slice(0))
    staging.unmap()
    return copy
  }

  /** An array of the card, whole: in pieces, since what is copied must fit into one buffer. */
  async download(room: Room, bytes: number): Promise<Float32Array> {
    const piece = Math.min(bytes, 256 * 2 ** 20)
    const staging = this.staging(piece)
    const all = new Float32Array(bytes / 4)
    try {
      for (let at = 0; at < bytes; at += piece) {
        const size = Math.min(piece, bytes - at)
        this.submit([], [{ from: room, at, bytes: size, to: staging, into: 0 }])
        all.set(await this.read(staging, size), at / 4)
      }
    } finally {
      staging.destroy()
    }
    return all
  }
}
