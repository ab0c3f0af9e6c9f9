import { EngineError } from '../../errors.ts'
import { Card } from './card.ts'

/** `navigator.gpu`, or what a package for Node gives in its place. */
interface GpuEntry {
  requestAdapter(options?: { powerPreference?: 'high-performance' }): Promise<GPUAdapter | null>
}

/** The most lanes that hold a row together. */
const MOST_LANES = 32

/** The limits that are asked for as high as the adapter has them. */
const LIMITS = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const

/** A card for a device that somebody else opened, or for the first that is found. */
export const openCard = async (given: GPUDevice | undefined, entry: GpuEntry | undefined): Promise<Card> => {
  if (given !== undefined) return new Card(given, await usableLanes(given, adapterInfo(given)))
  const found = entry ?? (globalThis as { navigator?: { gpu?: GpuEntry } }).navigator?.gpu
  if (found === undefined)
    throw new EngineError(
      'WebGPU is not available: in Node, install the package webgpu; in a browser, use one that supports it (and a page served over https or from localhost)',
    )
  const adapter = await found.requestAdapter({ powerPreference: 'high-performance' })
  if (adapter === null) throw new EngineError('no graphics device was found: WebGPU has no adapter here')
  const features = (['subgroups', 'timestamp-query'] as GPUFeatureName[]).filter(name => adapter.features.has(name))
  const requiredLimits = Object.fromEntries(LIMITS.map(name => [name, adapter.limits[name]]))
  let device: GPUDevice
  try {
    device = await adapter.requestDevice({ requiredFeatures: features, requiredLimits })
  } catch (cause) {
    throw new EngineError('the graphics device could not be opened', { cause })
  }
  return new Card(device, await usableLanes(device, adapterInfo(device) ?? adapter.info), [found, adapter])
}

const adapterInfo = (device: GPUDevice): GPUAdapterInfo | undefined =>
  (device as { adapterInfo?: GPUAdapterInfo }).adapterInfo

/** Lanes that can add up among each other: where subgroups are there, and are made of neighbouring invocations. */
const usableLanes = async (device: GPUDevice, info: GPUAdapterInfo | undefined): Promise<number> => {
  if (!device.features.has('subgroups' as GPUFeatureName)) return 1
  const least = (info as { subgroupMinSize?: number } | undefined)?.subgroupMinSize ?? 1
  const lanes = Math.min(MOST_LANES, 2 ** Math.floor(Math.log2(Math.max(1, least))))
  if (lanes < 2) return 1
  const card = new Card(device, 1)
  const [room] = await card.rooms('a test', [4 * 128])
  const test = await card.step(TEST(lanes), { 0: room }, 1)
  card.submit([test])
  const found = await card.download(room, 4 * 128)
  room.destroy()
  return found.every((sum, i) => sum === lanes * (i - (i % lanes)) + (lanes * (lanes - 1)) / 2) ? lanes : 1
}

/** Adds up the numbers of neighbours: as they should be, only if a subgroup is made of them. */
const TEST = (lanes: number): string => {
  let steps = ''
  for (let step = 1; step < lanes; step *= 2) steps += `sum += subgroupShuffleXor(sum, ${step}u);\n`
  return `enable subgroups;
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) t: u32) {
  var sum = f32(t);
  ${steps}
  found[t] = sum;
}`
}
