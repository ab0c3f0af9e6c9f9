/** `@polyad/core/numeric`: functions with the same bits on every machine, and random numbers. */
export { assign } from '../numeric/assignment.ts'
export { decimals } from '../numeric/decimals.ts'
export { exp } from '../numeric/exp.ts'
export { log } from '../numeric/log.ts'
export type { Purpose, Random } from '../numeric/philox.ts'
export { random } from '../numeric/philox.ts'
export { chiSquareQuantile, chiSquareTail, logGamma } from '../numeric/special.ts'
