/** What an engine outside of this package needs besides the interface: `@polyad/core/engine`. */
export { checkTotal } from '../tensor/cell-tensor.ts'
export { abilitiesOf } from './abilities.ts'
export { checkPass, newInformation, newStatistics } from './engine.ts'
export { entropyOf } from './entropy.ts'
