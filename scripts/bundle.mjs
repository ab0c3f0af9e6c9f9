// @ts-check
// What Node loads of the packages, in few files: a module for every source file takes longer to find and open than to run. Also the script of
// worker threads, as one file and as text. Bundlers for browsers get the files of dist/ instead, and leave out those that are not needed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const core = join(root, 'packages/core')

/**
 * No comments, but all names and lines: a stack trace names functions and lines, and Node prints the whole line of an error that nothing
 * catches. The worker script is small instead: pages load it too, and Node prints no lines of threads.
 */
const readable = { comments: false, minify: false }

/** Compiled code that is large and in the library anyway: the text of the worker script is given it. */
const EMBEDDED = {
  'engine/wasm/generated/all.ts': ['TEXTS'],
  'engine/sweeps/generated/sweeps.ts': ['SWEEPS', 'SHARED_SWEEPS'],
  'engine/linked/generated/linked.ts': ['LINKED'],
}

/** Writes the worker script: its text, to which the library adds the kernels, as a source, and all of it as a file. */
export const workerScript = async () => {
  const text = 'packages/core/src/generated/worker-text.ts'
  const bundle = await rolldown({
    input: join(core, 'src/worker.ts'),
    platform: 'neutral',
    transform: { define: { 'import.meta.url': 'undefined' } },
    plugins: [
      {
        name: 'given-by-the-library',
        load(id) {
          if (id.endsWith('generated/worker-text.ts')) return "export const workerText = () => ''"
          const [, part] = /wasm\/generated\/(small|rank\d+|tiled|measure|single)\.ts$/.exec(id) ?? []
          if (part !== undefined) return `export const KERNELS = POLYAD.TEXTS.${part}`
          for (const [path, names] of Object.entries(EMBEDDED))
            if (id.endsWith(path)) return names.map(name => `export const ${name} = POLYAD.${name}\n`).join('')
          return null
        },
        resolveId: id => (id.endsWith('generated/worker-text.ts') ? join(root, text) : null),
      },
    ],
  })
  const { output } = await bundle.generate({
    format: 'iife',
    codeSplitting: false,
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  })
  mkdirSync(dirname(join(root, text)), { recursive: true })
  const imports = Object.entries(EMBEDDED).map(([path, names]) => `import { ${names.join(', ')} } from '../${path}'\n`)
  const names = Object.values(EMBEDDED).flat().join(', ')
  writeFileSync(
    join(root, text),
    `/** The script of worker threads as text. Generated: do not edit. */
${imports.join('')}
export const workerText = (): string => 'const POLYAD=' + JSON.stringify({ ${names} }) + ';' + ${JSON.stringify(output[0].code)}
`,
  )
}

/**
 * A built file with all that it imports, other than on demand.
 * @param {string} path @param {Set<string>} [all] @returns {Set<string>}
 */
const withImports = (path, all = new Set()) => {
  if (all.has(path)) return all
  all.add(path)
  for (const [, from] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^'"=;]*['"](\.[^'"]+)['"]/gm))
    withImports(join(dirname(path), from), all)
  return all
}

/**
 * @param {string} name of a package @param {Record<string, string>} entries file of the bundle ← built file
 * @param {Record<string, string>} parts a file of the bundle ← the built file that it has with all that this imports; the first that fits counts
 */
const bundlePackage = async (name, entries, parts) => {
  const folder = join(root, 'packages', name)
  const input = Object.fromEntries(Object.entries(entries).map(([file, path]) => [file, join(folder, 'dist', path)]))
  const groups = Object.entries(parts).map(([part, path], i, { length }) => {
    const files = withImports(join(folder, 'dist', path))
    return { name: part, test: (/** @type {string} */ id) => files.has(id), priority: length - i }
  })
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: id => !id.startsWith('.') && !id.startsWith('/'),
    // A module's file says where it is, and all files of a bundle are in one folder: like those at the top of src/ and dist/.
    // What a page loads on demand, Node has in the file of its group.
    checks: { pluginTimings: false, ineffectiveDynamicImport: false },
  })
  rmSync(join(folder, 'bundle'), { recursive: true, force: true })
  await bundle.write({
    dir: join(folder, 'bundle'),
    format: 'esm',
    sourcemap: true,
    ...readable,
    chunkFileNames: 'part-[name]-[hash].js',
    codeSplitting: { groups },
  })
}

/** The bundles of what was built. */
export const bundles = async () => {
  await bundlePackage(
    'core',
    {
      index: 'index.js',
      engine: 'entries/engine.js',
      file: 'entries/file.js',
      model: 'entries/model.js',
      numeric: 'entries/numeric.js',
      options: 'entries/options.js',
      stats: 'entries/stats.js',
      conformance: 'engine/conformance.js',
    },
    { core: 'index.js' },
  )
  const { workerText } = await import(pathToFileURL(join(core, 'dist/generated/worker-text.js')).href)
  writeFileSync(join(core, 'bundle/worker.js'), workerText())
  await bundlePackage(
    'charts',
    { index: 'index.js', 'label-text': 'drawing/label-text.js', 'visible-text': 'drawing/visible-text.js' },
    { visible: 'drawing/visible-text.js', text: 'drawing/label-text.js' },
  )
  await bundlePackage(
    'polyad',
    {
      index: 'index.js',
      table: 'table/index.js',
      report: 'report/page/index.js',
      numbers: 'report/numbers.js',
      analysis: 'analysis/index.js',
      'studio-wire': 'studio/wire.js',
      cli: 'cli/main.js',
      'cli-thread': 'cli/command-thread.js',
      'duckdb-process': 'duckdb/process.js',
    },
    {
      package: 'package-file.js',
      calls: 'cli/short-calls.js',
      supervise: 'cli/supervise.js',
      list: 'cli/command-list.js',
      program: 'cli/program.js',
      fit: 'cli/commands/fit.js',
      library: 'index.js',
    },
  )
}

if (process.argv[2] === 'worker') await workerScript()
if (process.argv[2] === 'bundles') await bundles()
