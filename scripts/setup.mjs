// @ts-check
// Brings a fresh clone to a working state: checks Node, installs the locked packages, builds what is out of date.
// Each step is skipped when nothing changed since it last succeeded, and says in one line what it does when it is not.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamps = join(root, 'node_modules', '.polyad')

/** @param {string} text */
export const say = text => process.stderr.write(`polyad: ${text}\n`)

/** @param {string} text @returns {never} */
export const fail = text => {
  say(text)
  process.exit(1)
}

/**
 * Runs a command in the workspace's root; its output is shown, and a failure ends the process with its exit code.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export const run = (command, args, env = {}) => {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (done.error) fail(`cannot run ${command}: ${done.error.message}`)
  if (done.status !== 0) process.exit(done.status ?? 1)
}

/** @param {string} script a file of a package's own, run with this Node @param {string[]} args */
export const runNode = (script, args) => run(process.execPath, [join(root, script), ...args])

const needed = [20, 19]

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
    fail(`Node ${needed.join('.')} or newer is needed (this is ${process.versions.node})`)
  }
}

/** @param {string[]} paths files and folders below the root @returns {string} a digest of every file's path and bytes */
const digest = paths => {
  const hash = createHash('sha256')
  /** @param {string} path */
  const add = path => {
    const full = join(root, path)
    if (!existsSync(full)) return
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) if (name !== 'generated') add(join(path, name))
    } else hash.update(path).update('\0').update(readFileSync(full)).update('\0')
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

/**
 * Runs `work` unless the inputs are the same as when it last succeeded and its outputs are still there.
 * @param {string} name @param {{ inputs: string[], outputs: string[] }} files @param {() => void} work
 */
const once = (name, { inputs, outputs }, work) => {
  const stamp = join(stamps, name)
  const now = digest(inputs)
  const present = outputs.every(path => existsSync(join(root, path)))
  if (present && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  work()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, now)
}

const packages = ['packages/core', 'packages/polyad']

const install = () =>
  once(
    'installed',
    {
      inputs: ['package-lock.json', 'package.json', ...packages.map(path => `${path}/package.json`)],
      outputs: ['node_modules/vitest/package.json', 'node_modules/@typescript/native/bin/tsc'],
    },
    () => {
      say('installing the locked packages (npm ci) …')
      // With the command interpreter where npm is a script of it (Windows).
      const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: root,
        stdio: ['ignore', 2, 2],
        shell: process.platform === 'win32',
      })
      if (done.status !== 0) fail('npm ci failed: see the lines above; is the package registry within reach?')
    },
  )

export const typescript = 'node_modules/@typescript/native/bin/tsc'

const wasm = 'packages/core/src/engine/wasm'

const kernels = () =>
  once(
    'kernels',
    {
      inputs: ['scripts/kernels.mjs', `${wasm}/kernels`, `${wasm}/context.ts`],
      outputs: [`${wasm}/generated/kernels.ts`],
    },
    () => {
      say('compiling the kernels …')
      runNode('scripts/kernels.mjs', [])
    },
  )

const build = () =>
  once(
    'built',
    {
      inputs: [
        'tsconfig.json',
        'tsconfig.base.json',
        ...packages.flatMap(path => [`${path}/src`, `${path}/tsconfig.json`]),
      ],
      outputs: packages.map(path => `${path}/dist/index.js`),
    },
    () => {
      say('building …')
      runNode(typescript, ['--build'])
    },
  )

/** The browser of the browser tests: Debian's Chromium, installed where this process may do so, else the tests are skipped. */
export const browser = () => {
  const path = process.env.CHROMIUM ?? '/usr/bin/chromium'
  if (existsSync(path)) return
  const may = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (may) {
    once('browser', { inputs: ['scripts/setup.mjs'], outputs: [] }, () => {
      say('installing Chromium for the browser tests (apt-get) …')
      spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
      spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'ignore' })
    })
  }
  if (!existsSync(path)) say(`no Chromium at ${path}: the browser tests are skipped`)
}

export const setup = () => {
  checkNode()
  install()
  kernels()
  build()
}
