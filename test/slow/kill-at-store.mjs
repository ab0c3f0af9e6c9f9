/** Loaded before the command line: kills its process at a store of the checkpoint, before or after the new file takes the place of the old one. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { KILL_AT, KILL_WHEN } = process.env
const rename = fs.renameSync
let stores = 0
fs.renameSync = (from, to) => {
  if (!String(to).endsWith('.ckpt') || ++stores < Number(KILL_AT)) return rename(from, to)
  if (KILL_WHEN === 'after') rename(from, to)
  process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
