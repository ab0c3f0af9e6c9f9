/**
 * Loaded before the command line: after so many stores of its checkpoint (`FAULT_AT`) the folder of the file is read-only, or gone (`FAULT`). A checkpoint that is
 * removed, since the work is done, is kept under another name, to be looked at.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'

const { FAULT, FAULT_AT } = process.env
const { renameSync: rename, rmSync: remove } = fs
/** @param {unknown} path */
const isCheckpoint = path => String(path).endsWith('.ckpt')
/** @param {unknown} path */
const folderOf = path => dirname(String(path))
let stores = 0

fs.renameSync = (from, to) => {
  rename(from, to)
  if (!isCheckpoint(to) || ++stores !== Number(FAULT_AT)) return
  fs.copyFileSync(to, `${folderOf(to)}.last`)
  if (FAULT === 'read-only') fs.chmodSync(folderOf(to), 0o555)
  if (FAULT === 'gone') remove(folderOf(to), { recursive: true })
}
fs.rmSync = (path, options) => {
  const last = `${folderOf(path)}.last`
  if (isCheckpoint(path) && FAULT === undefined && !fs.existsSync(last)) fs.copyFileSync(path, last)
  return remove(path, options)
}
syncBuiltinESMExports()
