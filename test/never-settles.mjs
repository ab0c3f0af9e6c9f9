/**
 * Loaded before the command line: what `NEVER` names (`WebAssembly.compile`, `Promise.all`) gives a promise that is never settled, in the
 * thread of the command or in the main one (`NEVER_IN`).
 */
import { isMainThread } from 'node:worker_threads'

const { NEVER = '', NEVER_IN } = process.env
const [object, name] = NEVER.split('.')
/** @type {any} */
const owner = Reflect.get(globalThis, object)
if ((NEVER_IN === 'main') === isMainThread) owner[name] = () => new Promise(() => {})
