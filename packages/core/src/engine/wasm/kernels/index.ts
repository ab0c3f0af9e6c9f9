// The entry of the WebAssembly module: what the session calls.
export * from './generated/kernels'
export { log, sumLogs, sumLogsOfOnes, sumLogsOfWhole } from './log'
export { add, flush, joinPairs, joinSingle, ones, pad, splitPairs, zero } from './tables'

/** Where the memory is free: above the constants and buffers of the kernels. */
export function freeFrom(): usize {
  return __heap_base
}
