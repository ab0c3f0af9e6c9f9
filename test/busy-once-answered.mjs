/**
 * Loaded before the command line: once a command has so many answers (`BUSY_AFTER`) that it could be ended with, its thread says "busy" and
 * hears nothing any more, as in a long computation.
 */
import { writeSync } from 'node:fs'
import { isMainThread, parentPort } from 'node:worker_threads'

if (!isMainThread && parentPort !== null) {
  const port = parentPort
  const post = port.postMessage.bind(port)
  let answers = 0
  port.postMessage = (/** @type {any} */ message) => {
    post(message)
    if (message.kind !== 'late' || message.late.code !== 0 || ++answers < Number(process.env.BUSY_AFTER)) return
    writeSync(2, 'busy\n')
    for (;;);
  }
}
