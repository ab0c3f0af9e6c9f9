import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The other programs: where they are installed, and how a script of theirs is run. */

const here = fileURLToPath(new URL('..', import.meta.url))
/** What is installed for the comparison, and the data that is written for it. */
export const home = join(here, '.peers')
const python = join(home, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
const rLibrary = join(home, 'r')
/** One thread: helpers that wait for each other would count as processor time. */
const environment = {
  ...process.env,
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  R_LIBS: [rLibrary, process.env.R_LIBS].filter(Boolean).join(process.platform === 'win32' ? ';' : ':'),
}

export const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Python's packages from PyPI, into a folder of their own. */
export const installPython = (): void => {
  const wanted = readFileSync(join(here, 'peers/requirements.txt'), 'utf8')
  const stamp = join(home, 'installed.txt')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('installing the Python programs from PyPI into bench/.peers …')
  execFileSync('python3', ['-m', 'venv', home], { stdio: ['ignore', 2, 2] })
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '-r', join(here, 'peers/requirements.txt')], {
    stdio: ['ignore', 2, 2],
  })
  writeFileSync(stamp, wanted)
}

/** Whether R has poLCA, after an attempt to install it from CRAN if it has not. */
export const hasPoLCA = (): boolean => {
  const r = (code: string) =>
    spawnSync('Rscript', ['-e', code], { env: environment, stdio: ['ignore', 2, 2] }).status === 0
  const loaded = 'quit(status = !suppressMessages(requireNamespace("poLCA", quietly = TRUE)))'
  if (r(loaded)) return true
  mkdirSync(rLibrary, { recursive: true })
  // The first mirror of R's own list.
  r(`chooseCRANmirror(ind = 1); install.packages("poLCA", lib = "${rLibrary.replaceAll('\\', '/')}")`)
  if (r(loaded)) return true
  say('poLCA is left out: it needs R (Rscript), and poLCA from CRAN or in a folder that R_LIBS names')
  return false
}

/** The object that a script prints as its last line; undefined if it has not ended after so many seconds (0: no limit). */
export const runScriptWithin = <T>(seconds: number, script: string, args: readonly string[]): T | undefined => {
  const program = script.endsWith('.R') ? 'Rscript' : python
  const { stdout, stderr, status, error } = spawnSync(program, [join(here, 'peers', script), ...args], {
    encoding: 'utf8',
    env: environment,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 1000 * seconds,
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return undefined
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`, { cause: error })
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as T
}

export const runScript = <T>(script: string, args: readonly string[]): T => runScriptWithin(0, script, args) as T
