// @ts-check
// `npm start`, `npm test` and the rest: each first sets up what is missing, then does its work.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeApiReports } from './docs/api-report.mjs'
import { installCommand, packAll } from './pack.mjs'
import {
  browsers,
  chromium,
  cluster,
  clusterServer,
  fail,
  peers,
  root,
  runNode,
  setup,
  statisticsSoftware,
  typescript,
} from './setup.mjs'
import { say } from './step.mjs'

const biome = 'node_modules/@biomejs/biome/bin/biome'
const vitest = 'node_modules/vitest/vitest.mjs'
/** Vitest, for suites that use browsers and servers: a test file that fails is run once more. */
const rerun = 'scripts/rerun.mjs'

/** @param {string} name a file of bench/src @param {string[]} args */
const benchmark = (name, args) => {
  runNode(typescript, ['-p', 'bench/tsconfig.json'])
  runNode(`bench/dist/${name}.js`, args)
}

/** @type {Record<string, (args: string[]) => void | Promise<void>>} */
const tasks = {
  start: args => runNode('packages/polyad/bin/polyad.js', ['iris', ...args]),
  build: () => void say('built'),
  test: async args => {
    await chromium()
    await tasks.check([])
    runNode(vitest, ['run', ...args])
  },
  'test:slow': async args => {
    await peers()
    process.env.POLYAD_SUITE = 'slow'
    runNode(rerun, ['--testTimeout=1800000', ...args])
  },
  'test:browser': async args => {
    await browsers()
    process.env.POLYAD_SUITE = 'browser'
    runNode(rerun, args)
  },
  'test:cluster': async args => {
    await cluster()
    process.env.POLYAD_SUITE = 'cluster'
    runNode(rerun, ['--testTimeout=300000', ...args])
  },
  check: () => {
    runNode(typescript, ['-p', 'tsconfig.check.json'])
    runNode(typescript, ['-p', 'packages/studio/tsconfig.json'])
    runNode(biome, ['ci', '--reporter=summary', '--log-level=warn'])
  },
  lint: args => runNode(biome, ['check', ...args]),
  format: () => runNode(biome, ['check', '--write']),
  bench: args => benchmark('main', args),
  'bench:passes': args => benchmark('convergence', args),
  'bench:search': args => {
    /** @type {Record<string, string>} */
    const others = { ablate: 'ablate', large: 'search-large' }
    const other = others[args[0]]
    return other === undefined ? benchmark('search', args) : benchmark(other, args.slice(1))
  },
  'bench:yardstick': args => benchmark('yardstick', args),
  'bench:verdict': args => benchmark('verdict', args),
  'bench:rank': args => benchmark('rank', args),
  'bench:shell': args => benchmark('shell', args),
  'bench:remaining': args => benchmark('remaining', args),
  'bench:peers': args => benchmark('peers', args),
  'bench:ingest': args => benchmark('ingest', args),
  'bench:reading': args => benchmark('reading', args),
  'bench:scale': args => benchmark('scale', args),
  'bench:covariates': args => benchmark('covariates', args),
  'bench:covariate-search': args => benchmark('covariate-search', args),
  'bench:coverage': args => benchmark('coverage', args),
  'bench:three-steps': args => benchmark('three-steps', args),
  'bench:scaled-tests': args => benchmark('scaled-tests', args),
  'bench:sparse-tests': args => benchmark('sparse-tests', args),
  'bench:sql': args => benchmark('sql', args),
  'bench:single': args => benchmark('single', args),
  example: ([name = '', ...args]) => {
    const names = readdirSync(join(root, 'examples')).filter(each => existsSync(join(root, 'examples', each, 'run.ts')))
    if (!names.includes(name)) fail(`npm run example NAME: one of ${names.join(', ')}`)
    runNode(typescript, ['-p', 'examples/tsconfig.json'])
    runNode(`examples/dist/${name}/run.js`, args)
  },
  studio: args => runNode('packages/polyad/bin/polyad.js', ['studio', ...args]),
  'studio:build': ([folder]) => {
    const built = join(root, 'packages/polyad/studio')
    if (folder !== undefined) cpSync(built, folder, { recursive: true })
    say(`the studio for a static host is in ${folder ?? 'packages/polyad/studio'}`)
  },
  'docs:cli': () => {
    const polyad = join(root, 'packages/polyad/bin/polyad.js')
    /** @param {string} part */
    const reference = part => {
      const { stdout, status } = spawnSync(process.execPath, [polyad, 'reference', part], {
        stdio: ['ignore', 'pipe', 'inherit'],
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      })
      if (status !== 0) fail('the reference could not be made')
      return stdout
    }
    rmSync(join(root, 'docs/reference/commands'), { recursive: true, force: true })
    mkdirSync(join(root, 'docs/reference/commands'))
    for (const [path, text] of Object.entries(JSON.parse(reference('pages'))))
      writeFileSync(join(root, 'docs/reference', path), text)
    const folder = join(root, 'packages/polyad/schema')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const [name, schema] of Object.entries(JSON.parse(reference('schemas'))))
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`)
    say('wrote docs/reference/cli.md, docs/reference/commands and packages/polyad/schema')
  },
  api: () => {
    writeApiReports(root)
    say('wrote packages/*/api-report.txt')
  },
  docs: ([folder]) => runNode('scripts/docs/build.mjs', folder === undefined ? [] : [resolve(folder)]),
  pack: ([folder = '.']) => void say(`wrote ${packAll(resolve(folder))}`),
  'install:command': installCommand,
  pictures: async args => {
    await chromium()
    runNode('scripts/pictures.mjs', args)
  },
  coverage: args => runNode(vitest, ['run', '--coverage', ...args]),
  mutation: args => runNode('scripts/mutation/run.mjs', args),
  sbom: ([file = 'sbom.json']) => {
    // npm's list of what is installed for users, in the format of CycloneDX.
    const { stdout, status } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 26,
    })
    if (status !== 0) fail('npm could not list the packages')
    writeFileSync(join(root, file), stdout)
    say(`wrote ${file}`)
  },
}

const [task, ...args] = process.argv.slice(2)
if (task === 'clean') {
  for (const path of [
    'node_modules',
    ...['core', 'charts', 'polyad'].flatMap(name => [`packages/${name}/dist`, `packages/${name}/bundle`]),
    'packages/polyad/studio',
    'packages/polyad/site',
    'bench/dist',
    'scripts/mutation/node_modules',
    '.mutation',
    'examples/dist',
  ]) {
    rmSync(join(root, path), { recursive: true, force: true })
  }
  say('removed node_modules and what was built')
} else if (task === 'system') {
  // What root installs for all suites, where the rest is done by somebody else.
  await browsers()
  await clusterServer()
  await statisticsSoftware()
} else if (tasks[task]) {
  await setup()
  await tasks[task](args)
} else {
  fail(`no task named ${task}: one of ${[...Object.keys(tasks), 'system', 'clean'].join(', ')}`)
}
