// The entry of the WebAssembly module: what the session calls.
export * from './generated/kernels'
export { log, sumLogs, sumLogsOfOnes, sumLogsOfWhole } from './log'
export { add, joinPairs, ones, pad, splitPairs, strip, zero } from './tables'
