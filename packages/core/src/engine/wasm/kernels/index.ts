// The entry of the first WebAssembly module: what the session calls.
export * from './generated/small'
export { log, sumLogs, sumLogsOfOnes, sumLogsOfWhole } from './log'
export { add, flush, joinPairs, joinSingle, ones, pad, splitPairs, zero } from './tables'
