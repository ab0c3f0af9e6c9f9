// @ts-check
// Brings a fresh clone to a working state: checks Node, installs the locked packages, builds what is out of date.
// Each step is skipped when nothing changed since it last succeeded, and says in one line what it does when it is not.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeStale } from './stale.mjs'
import { runStep, say } from './step.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamps = join(root, 'node_modules', '.polyad')

/** @param {string} text @returns {never} */
export const fail = text => {
  say(text)
  process.exit(1)
}

/**
 * Runs a script of the workspace with this Node; its output is shown, and a failure ends the process with its exit code.
 * @param {string} script @param {string[]} args @param {number} [seconds] a limit, for what must not take long
 */
export const runNode = (script, args, seconds) => {
  const timeout = seconds === undefined ? {} : { timeout: seconds * 1000 }
  const done = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit', ...timeout })
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (done.error ?? {})
  if (code === 'ETIMEDOUT') fail(`${script} took more than ${seconds} s and was ended`)
  if (done.error) fail(`cannot run ${script}: ${message}`)
  if (done.status !== 0) process.exit(done.status ?? 1)
}

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
 * @param {string} name @param {{ inputs: string[], outputs: string[] }} files @param {() => void | Promise<void>} work
 */
const once = async (name, { inputs, outputs }, work) => {
  const stamp = join(stamps, name)
  const now = digest(inputs)
  const present = outputs.every(path => existsSync(join(root, path)))
  if (present && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  await work()
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, now)
}

const packages = ['packages/core', 'packages/charts', 'packages/polyad']
const studio = 'packages/studio'

/** Limits in seconds: a slow connection is fine, a silent one is not. */
const INSTALL_SECONDS = 900
const BUILD_SECONDS = 300
const APT_SECONDS = 300

/** A registry that stops answering is given up after three minutes, not after npm's fifteen. */
const PATIENCE = ['--fetch-timeout=60000', '--fetch-retries=2', '--fetch-retry-maxtimeout=10000']

const install = () =>
  once(
    'installed',
    {
      inputs: ['package-lock.json', 'package.json', ...[...packages, studio].map(path => `${path}/package.json`)],
      outputs: ['node_modules/vitest/package.json', 'node_modules/@typescript/native/bin/tsc'],
    },
    async () => {
      const done = await runStep(
        {
          what: 'installing the locked packages (npm ci)',
          waitingFor: process.env.npm_config_registry ?? 'the package registry',
          seconds: INSTALL_SECONDS,
          cwd: root,
        },
        'npm',
        ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...PATIENCE],
      )
      if (!done) process.exit(1)
    },
  )

export const typescript = 'node_modules/@typescript/native/bin/tsc'

const [wasm, sweeps, linked] = ['wasm', 'sweeps', 'linked'].map(name => `packages/core/src/engine/${name}`)

const kernels = () =>
  once(
    'kernels',
    {
      inputs: [
        'scripts/kernels.mjs',
        `${wasm}/kernels`,
        `${wasm}/context.ts`,
        `${sweeps}/kernels`,
        `${sweeps}/context.ts`,
        ...['cells', 'chain', 'groups', 'loops'].map(name => `${linked}/kernels/${name}.mjs`),
        `${linked}/context.ts`,
      ],
      outputs: [
        ...['kernels', 'all', 'small', 'measure'].map(name => `${wasm}/generated/${name}.ts`),
        `${sweeps}/generated/sweeps.ts`,
        `${linked}/generated/linked.ts`,
      ],
    },
    () => {
      say('compiling the kernels …')
      runNode('scripts/kernels.mjs', [], BUILD_SECONDS)
    },
  )

/** The script of worker threads as text, which is a source of what is built. */
const workerText = () =>
  once(
    'worker-text',
    {
      inputs: ['scripts/bundle.mjs', 'packages/core/src', 'packages/core/package.json'],
      outputs: ['packages/core/src/generated/worker-text.ts'],
    },
    () => runNode('scripts/bundle.mjs', ['worker'], BUILD_SECONDS),
  )

const build = () =>
  once(
    'built',
    {
      inputs: [
        'scripts/bundle.mjs',
        'tsconfig.json',
        'tsconfig.base.json',
        ...packages.flatMap(path => [`${path}/src`, `${path}/tsconfig.json`, `${path}/package.json`]),
      ],
      outputs: packages.flatMap(path => [`${path}/dist/index.js`, `${path}/bundle/index.js`]),
    },
    () => {
      say('building …')
      for (const path of packages) removeStale(join(root, path))
      runNode(typescript, ['--build'], BUILD_SECONDS)
      runNode('scripts/bundle.mjs', ['bundles'], BUILD_SECONDS)
    },
  )

/** The page of the studio, as the command line serves it and as a static host would. */
const page = () =>
  once(
    'page',
    {
      inputs: [
        ...packages.map(path => `${path}/src`),
        ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map(path => `${studio}/${path}`),
      ],
      outputs: ['packages/polyad/studio/index.html'],
    },
    () => {
      say('building the page of the studio …')
      runNode('node_modules/vite/bin/vite.js', ['build', studio, '--logLevel', 'warn'], BUILD_SECONDS)
    },
  )

/** The documentation, as `polyad docs` opens it. */
const site = () =>
  once(
    'site',
    {
      inputs: ['docs', 'examples', 'scripts/docs', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'packages/core/src'],
      outputs: ['packages/polyad/site/index.html'],
    },
    () => runNode('scripts/docs/build.mjs', [], BUILD_SECONDS),
  )

/** @param {string} what it is for @param {string} name of a package of Debian's, installed where this process may do so @param {string[]} more packages or options */
const debianPackage = async (what, name, ...more) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  await once(name, { inputs: ['scripts/setup.mjs'], outputs: [] }, async () => {
    const step = { waitingFor: "Debian's mirror", seconds: APT_SECONDS, quiet: true }
    await runStep({ ...step, what: 'reading the list of Debian packages (apt-get update)' }, 'apt-get', [
      'update',
      '-qq',
    ])
    await runStep({ ...step, what: `installing ${what} (apt-get)` }, 'apt-get', ['install', '-y', '-qq', name, ...more])
  })
}

const BROWSERS = {
  chromium: { name: 'Chromium', path: process.env.CHROMIUM ?? '/usr/bin/chromium' },
  'firefox-esr': { name: 'Firefox', path: process.env.FIREFOX ?? '/usr/bin/firefox-esr' },
}

/**
 * A browser of Debian's for tests, installed where this process may do so. Without it its tests are skipped, and with CI=true there is no run: it would be
 * green without having looked. @param {keyof typeof BROWSERS} debian */
const browser = async debian => {
  const { name, path } = BROWSERS[debian]
  if (!existsSync(path)) await debianPackage(`${name} for the browser tests`, debian)
  if (existsSync(path)) return
  if (process.env.CI === 'true') fail(`there is no ${name} at ${path}, and with CI=true its tests may not be skipped`)
  say(`NO ${name.toUpperCase()} at ${path}: ITS TESTS ARE SKIPPED`)
}

export const chromium = () => browser('chromium')

export const browsers = async () => {
  await chromium()
  await browser('firefox-esr')
}

const suite = 'test/cluster'

/** Debian's ClickHouse. Without it, the tests with a cluster are skipped. */
export const clusterServer = async () => {
  const server = '/usr/sbin/clickhouse-server'
  if (!existsSync(server)) await debianPackage('ClickHouse for the tests with servers', 'clickhouse-server')
  if (!existsSync(server)) say(`NO CLICKHOUSE at ${server}: THE TESTS WITH A CLUSTER ARE SKIPPED`)
}

/**
 * What the tests with servers need beside the workspace: Debian's ClickHouse, and a modern one as a package of half a gigabyte, which is
 * therefore in a lockfile of its own. Without it, its tests are skipped.
 */
export const cluster = async () => {
  await clusterServer()
  const files = { inputs: [`${suite}/package-lock.json`], outputs: [`${suite}/node_modules/chdb/package.json`] }
  await once('cluster', files, async () => {
    const done = await runStep(
      {
        what: 'installing a modern ClickHouse for the tests with servers (npm install in test/cluster, 540 MB)',
        waitingFor: process.env.npm_config_registry ?? 'the package registry',
        seconds: INSTALL_SECONDS,
        cwd: join(root, suite),
      },
      'npm',
      // Not npm ci: it wants the libraries of all platforms in the lockfile, and registries may lack some.
      ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...PATIENCE],
    )
    if (!done) say('NO CHDB: THE TESTS WITH A MODERN CLICKHOUSE ARE SKIPPED')
  })
}

/** R with two packages of Debian's, for tests of files and programs that users of R have. Without it, these are skipped. */
export const statisticsSoftware = async () => {
  const has = () => spawnSync('Rscript', ['-e', 'library(haven); library(jsonlite)'], { stdio: 'ignore' }).status === 0
  if (has()) return
  await debianPackage(
    'R for the slow tests',
    'r-cran-haven',
    'r-cran-jsonlite',
    'python3-pip',
    '--no-install-recommends',
  )
  if (!has()) say('NO R WITH haven AND jsonlite: THEIR TESTS ARE SKIPPED')
}

/** Where Python's packages for tests are: tests add it to PYTHONPATH. */
const pythonPackages = join(root, 'node_modules', '.polyad', 'python')

/** What the slow tests need beside the workspace: R, and Python with the packages that read what users of Python read. Without them, their tests are skipped. */
export const peers = async () => {
  await statisticsSoftware()
  const { PYTHONPATH } = process.env
  process.env.PYTHONPATH = [pythonPackages, ...(PYTHONPATH ? [PYTHONPATH] : [])].join(delimiter)
  const has = () => spawnSync('python3', ['-c', 'import pandas, pyreadstat'], { stdio: 'ignore' }).status === 0
  if (has()) return
  const what = 'installing pandas and pyreadstat for the slow tests (pip)'
  const step = { what, waitingFor: 'the package index of Python', seconds: APT_SECONDS, quiet: true, cwd: root }
  const words = ['-m', 'pip', 'install', '--quiet', '--target', pythonPackages, 'pandas==3.1.1', 'pyreadstat==1.3.7']
  await runStep(step, 'python3', words)
  if (!has()) say('NO PANDAS AND PYREADSTAT: THEIR TESTS ARE SKIPPED')
}

export const setup = async () => {
  checkNode()
  await install()
  await kernels()
  await workerText()
  await build()
  await page()
  await site()
}
