// @ts-check
// TypeScript leaves what it has built of a source file that has since been moved or removed: it would be packed, and could be imported.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A built file, without its ending. */
const BUILT = /(?:\.d\.ts|\.js)(?:\.map)?$/

/**
 * Removes the files below a package's `dist/` whose source is gone, and folders that are empty, in `src/` too.
 * @param {string} folder of a package @returns {string[]} what was removed, below the package
 */
export const removeStale = folder => {
  /** @type {string[]} */
  const removed = []
  /** @param {string} path below the package @param {string} name of a built file */
  const isStale = (path, name) =>
    BUILT.test(name) &&
    ['.ts', '.tsx', '.mts'].every(
      end => !existsSync(join(folder, path.replace(/^dist/, 'src'), name.replace(BUILT, end))),
    )
  /** @param {string} path */
  const clean = path => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) {
        clean(below)
        if (readdirSync(join(folder, below)).length > 0) continue
        rmdirSync(join(folder, below))
      } else if (path.startsWith('dist') && isStale(path, entry.name)) rmSync(join(folder, below))
      else continue
      removed.push(below)
    }
  }
  for (const path of ['dist', 'src']) if (existsSync(join(folder, path))) clean(path)
  return removed
}
