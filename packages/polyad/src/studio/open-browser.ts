import { type SpawnOptions, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a platform opens a file in the browser; undefined where there is nothing to show it on, or the screen is elsewhere. */
export const openerOf = (
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined => {
  if (env.SSH_CONNECTION !== undefined) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/**
 * Opens an address in the browser, by way of a file in the folder that only this user may read: an address on a command line
 * could be read by everybody on the machine. Whether it worked is not known, nor waited for.
 */
export const openBrowser = (url: string, folder: string): void => {
  const opener = openerOf(process.platform, process.env)
  if (opener === undefined) return
  const [program, ...args] = opener
  const path = join(folder, 'open.html')
  const refresh = `<meta http-equiv="refresh" content="0; url=${url}">`
  writeFileSync(path, `<!doctype html><meta charset="utf-8"><title>Polyad studio</title>${refresh}`, { mode: 0o600 })
  const options: SpawnOptions = { stdio: 'ignore', detached: true }
  spawn(program, [...args, path], options)
    .on('error', () => {})
    .unref()
}
