// @ts-check
// `npm run pack` and `npm run install:command`: the three packages as one file that npm installs like any other.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, runNode } from './setup.mjs'
import { say } from './step.mjs'

/** The packages that `polyad` carries inside itself, because no registry has them. */
const INSIDE = ['core', 'charts']

/** @param {string} command @param {string[]} args @param {string} cwd @returns {string} its standard output */
const run = (command, args, cwd) => {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' })
  if (done.error) fail(`cannot run ${command}: ${done.error.message}`)
  if (done.status !== 0) fail(`${command} ${args.join(' ')} failed:\n${done.stderr}`)
  return done.stdout
}

/** @param {string} folder of a package @param {string} to where its tarball is written @returns {string} the name of the tarball */
const npmPack = (folder, to) => {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', to], folder))
  return filename
}

/** Unpacks the published files of a package. @param {string} name @param {string} to @param {string} scratch */
const unpack = (name, to, scratch) => {
  mkdirSync(to, { recursive: true })
  const tarball = npmPack(join(root, 'packages', name), scratch)
  run('tar', ['-xzf', tarball, '-C', to, '--strip-components', '1'], scratch)
}

/** @param {string} folder of a package @param {object} changes */
const changeManifest = (folder, changes) => {
  const path = join(folder, 'package.json')
  writeFileSync(path, `${JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }, null, 2)}\n`)
}

/** @param {string} folder @returns {string} the tarball that was written */
export const packAll = folder => {
  mkdirSync(folder, { recursive: true })
  runNode('scripts/docs/build.mjs', [])
  const scratch = mkdtempSync(join(tmpdir(), 'polyad-pack-'))
  try {
    const whole = join(scratch, 'polyad')
    unpack('polyad', whole, scratch)
    for (const name of INSIDE) {
      const inner = join(whole, 'node_modules/@polyad', name)
      unpack(name, inner, scratch)
      // npm takes the dependencies of a package inside another for packed, too; `polyad` has them all.
      changeManifest(inner, { dependencies: undefined, devDependencies: undefined })
    }
    changeManifest(whole, { bundleDependencies: INSIDE.map(name => `@polyad/${name}`) })
    return join(folder, npmPack(whole, folder))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Installs the command for this user. @param {string[]} args for npm, such as --prefix and a folder */
export const installCommand = args => {
  const scratch = mkdtempSync(join(tmpdir(), 'polyad-install-'))
  try {
    const tarball = packAll(scratch)
    say('installing the command (npm install --global) …')
    const install = ['install', '--global', '--no-audit', '--no-fund', '--loglevel=error', ...args, tarball]
    const { status, stderr } = spawnSync('npm', install, {
      cwd: scratch,
      encoding: 'utf8',
      stdio: ['ignore', 2, 'pipe'],
      shell: process.platform === 'win32',
    })
    if (status !== 0) {
      if (/EACCES|EPERM/.test(stderr))
        fail(
          'npm may not write to its global folder. Choose one of yours: npm run install:command -- --prefix ~/.local',
        )
      fail(`npm could not install the command:\n${stderr}`)
    }
    const prefix = run('npm', ['prefix', '--global', ...args], root).trim()
    const commands = process.platform === 'win32' ? prefix : join(prefix, 'bin')
    say(`installed polyad in ${commands}`)
    const paths = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':')
    if (!paths.includes(commands)) say(`add this folder to PATH to type polyad anywhere: ${commands}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
