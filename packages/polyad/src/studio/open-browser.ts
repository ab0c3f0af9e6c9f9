import { type SpawnOptions, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROBE } from './auth.ts'

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

/** Opens a file in the browser. Whether it worked is not known, nor waited for. @returns whether there is a program for it */
export const openFile = (path: string): boolean => {
  const opener = openerOf(process.platform, process.env)
  if (opener === undefined) return false
  const [program, ...args] = opener
  const options: SpawnOptions = { stdio: 'ignore', detached: true }
  spawn(program, [...args, path], options)
    .on('error', () => {})
    .unref()
  return true
}

/**
 * Opens the studio in the browser, by way of a file in the folder that only this user may read: an address on a command line
 * could be read by everybody on the machine.
 */
export const openBrowser = (named: string, url: string, plainUrl: string, folder: string): void => {
  if (openerOf(process.platform, process.env) === undefined) return
  const path = join(folder, 'open.html')
  writeFileSync(path, openingPage(named, url, plainUrl), { mode: 0o600 })
  openFile(path)
}

/**
 * A page that goes to the studio at its own name, if this browser can load a picture from there, else at 127.0.0.1: Safari does
 * not resolve names under `localhost`.
 */
export const openingPage = (named: string, url: string, plainUrl: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Polyad studio</title>
<noscript><meta http-equiv="refresh" content="0; url=${url}"></noscript></head>
<body><p>Opening the studio: <a href="${url}">its own address</a>, or <a href="${plainUrl}">127.0.0.1</a></p>
<script>
const picture = new Image()
picture.onload = () => location.replace(${JSON.stringify(url)})
picture.onerror = () => location.replace(${JSON.stringify(plainUrl)})
picture.src = ${JSON.stringify(`http://${named}${PROBE}`)}
</script></body></html>
`
