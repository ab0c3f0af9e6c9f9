/** `@polyad/core/engine`: the engines, cells in files, and what an engine outside of this package needs. */
export { closable } from '../closable.ts'
export type { Statistic } from '../engine/abilities.ts'
export { ABILITIES, abilitiesOf, lacking, NEEDS } from '../engine/abilities.ts'
export type { CellsDescription, CellsWriterOptions } from '../engine/disk/cells-writer.ts'
export { CellsWriter, writeCells } from '../engine/disk/cells-writer.ts'
export type { OpenCellsOptions, StoredSession } from '../engine/disk/open-cells.ts'
export { describeCells, loadCells, openCells } from '../engine/disk/open-cells.ts'
export type {
  Ability,
  ClosableSession,
  Engine,
  Information,
  Measures,
  ParallelRuns,
  Session,
  Statistics,
  Traits,
} from '../engine/engine.ts'
export { checkPass, newInformation, newStatistics } from '../engine/engine.ts'
export { entropyOf } from '../engine/entropy.ts'
export type { GpuEngineOptions } from '../engine/gpu/gpu-engine.ts'
export { gpuEngine } from '../engine/gpu/gpu-engine.ts'
export type { PlacedDescent, PlacedDescents } from '../engine/placed-descent.ts'
export { referenceEngine } from '../engine/reference.ts'
export type { WasmEngineOptions } from '../engine/wasm/wasm-engine.ts'
export { wasmEngine } from '../engine/wasm/wasm-engine.ts'
export type { StopSignal } from '../errors.ts'
export { throwIfStopped } from '../errors.ts'
export type { FitPlan } from '../fit/fit-plan.ts'
export { planFit } from '../fit/fit-plan.ts'
export { memoryOfFit } from '../fit/memory-plan.ts'
export type { Closable } from '../platform-types.ts'
export { checkTotal } from '../tensor/cell-tensor.ts'
export { unlessStopped } from '../thread/cooperative.ts'
export type { WorkerLike, WorkerOptions } from '../thread/worker-options.ts'
