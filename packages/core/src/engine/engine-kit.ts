/** What an engine outside of this package needs besides the interface: `@polyad/core/engine`. */
export { checkPass, newInformation, newStatistics } from './engine.ts'
export { entropyOf } from './entropy.ts'
