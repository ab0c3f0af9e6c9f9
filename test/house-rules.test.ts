import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The rules of the house, where a machine can check them. */

const core = fileURLToPath(new URL('../packages/core/', import.meta.url))
const charts = fileURLToPath(new URL('../packages/charts/', import.meta.url))
const polyad = fileURLToPath(new URL('../packages/polyad/', import.meta.url))
const studio = fileURLToPath(new URL('../packages/studio/', import.meta.url))

/** Folders from the bottom up: a file may import from its own folder and from those before it. */
const coreLayers = ['numeric', 'thread', 'tensor', 'model', 'file', 'engine', 'fit', 'stats', 'entries']
const chartsLayers = ['data', 'drawing', 'charts']
const polyadLayers = [
  ...['table', 'duckdb', 'source', 'output', 'scoring', 'engine'],
  ...['report', 'analysis', 'examples', 'studio', 'cli'],
]
const studioLayers = ['worker', 'state', 'components', 'screens']
/** Files beside the folders that see everything; the rest (errors, options) is seen by everything. */
const ENTRIES = ['index.ts', 'worker.ts', 'main.tsx', 'app.tsx']

const sources = (root: string) =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.includes('generated'))
    .map(path => ({ path: normalize(path), text: readFileSync(join(root, 'src', path), 'utf8') }))

const imports = (text: string) =>
  [...text.matchAll(/(?:^(?:import|export)\b[^'"]*?from\s+|^import\s+|\bimport\(\s*)['"]([^'"]+)['"]/gm)].map(
    ([, specifier]) => specifier,
  )

/** A way from a node back to itself along the edges, or undefined. */
const findCycle = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined => {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of edges.get(node) ?? []) {
      const found = visit(next, [...path, node])
      if (found !== undefined) return found
    }
    done.add(node)
    return undefined
  }
  for (const node of edges.keys()) {
    const found = visit(node, [])
    if (found !== undefined) return found
  }
  return undefined
}

/** Which files import which, or which folders' files those of which. */
const importsAmong = (files: ReturnType<typeof sources>, name: (path: string) => string) => {
  const edges = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    for (const specifier of imports(text).filter(each => each.startsWith('.'))) {
      const [from, to] = [path, normalize(join(path, '..', specifier))].map(name)
      if (from === to) continue
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  return edges
}

const layerOf = (layers: readonly string[], path: string) => {
  const [folder, ...rest] = path.split('/')
  if (rest.length === 0) return ENTRIES.includes(folder) ? layers.length : -1
  return layers.indexOf(folder)
}

describe.each([
  ['core', core, coreLayers],
  ['charts', charts, chartsLayers],
  ['polyad', polyad, polyadLayers],
  ['studio', studio, studioLayers],
] as const)('%s', (_, root, layers) => {
  const files = sources(root)

  it('has files in known folders only', () => {
    for (const { path } of files) {
      expect(path.includes('/') ? layers : [path.split('/')[0]], path).toContain(path.split('/')[0])
    }
  })

  it('imports downwards only', () => {
    for (const { path, text } of files) {
      for (const specifier of imports(text).filter(each => each.startsWith('.'))) {
        const target = normalize(join(path, '..', specifier))
        expect(layerOf(layers, target), `${path} imports ${specifier}`).toBeLessThanOrEqual(layerOf(layers, path))
      }
    }
  })

  it('has no cycles, between files or between folders', () => {
    expect(findCycle(importsAmong(files, path => path))).toBeUndefined()
    // Files at the top (the entry, errors, options) stand for themselves.
    expect(findCycle(importsAmong(files, path => (path.includes('/') ? dirname(path) : path)))).toBeUndefined()
  })

  it('has no default exports', () => {
    for (const { path, text } of files) expect(text, path).not.toMatch(/^export default/m)
  })
})

describe('core', () => {
  const files = sources(core)

  it('has no runtime dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'))
    for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest[key] ?? {}).toEqual({})
    }
  })

  it('imports nothing from outside; Node’s own modules only when they are there', () => {
    for (const { path, text } of files) {
      for (const specifier of imports(text).filter(each => !each.startsWith('.'))) {
        const lazily = specifier.startsWith('node:') && new RegExp(`import\\(['"]${specifier}['"]\\)`).test(text)
        expect(lazily, `${path} imports ${specifier}`).toBe(true)
      }
    }
  })

  it('says undefined, never null, for what is not there', () => {
    for (const { path, text } of sources(core).filter(each => /^(numeric|model|fit|stats)/.test(each.path)))
      expect(text, path).not.toMatch(/\| null\b|\breturn null\b|\?\? null\b|: null\b(?!, trust)/)
  })

  it('never prints, and reads no clock and no global randomness', () => {
    for (const { path, text } of files) {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      expect(code, path).not.toMatch(
        /\bconsole\.|process\.std(out|err)|Date\.now|new Date\b|performance\.|Math\.random/,
      )
    }
  })
})

it('the lockfile names no place to download from', () => {
  expect(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toMatch(/"resolved": *"https?:/)
})

/** The files that one of ours is made of, none of which may use anything of Node. Types alone bring nothing with them. */
const browserFiles = (path: string, allowed: RegExp, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(path)) return seen
  seen.add(path)
  const text = readFileSync(join(polyad, 'src', path), 'utf8').replace(/^(import|export) type .*$/gm, '')
  for (const specifier of imports(text)) {
    if (specifier.startsWith('.')) browserFiles(normalize(join(path, '..', specifier)), allowed, seen)
    else expect(specifier, path).toMatch(allowed)
  }
  return seen
}

it.each([
  ['the page of a report can be made', 'report/page/index.ts', /^(@polyad\/(core|charts)|hucre)(\/|$)/, 10],
  ['a table can be read', 'table/index.ts', /^(@polyad\/core|hucre)(\/|$)/, 10],
  ['what the studio sends can be read', 'studio/wire.ts', /^@polyad\/core(\/|$)/, 1],
])('%s in a browser: nothing of Node, directly or by way of others', (_, entry, allowed, least) => {
  expect(browserFiles(entry, allowed).size).toBeGreaterThanOrEqual(least)
})

/** What is opened with one of our files at once, from outside of the package. */
const openedWith = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(path)) return seen
  seen.add(path)
  if (path.startsWith('/')) return seen
  const text = readFileSync(join(polyad, 'src', path), 'utf8').replace(/^(import|export) type .*$/gm, '')
  for (const specifier of imports(text.replaceAll('import(', '')))
    openedWith(specifier.startsWith('.') ? normalize(join(path, '..', specifier)) : `/${specifier}`, seen)
  return seen
}

it.each([
  [
    'the process that waits for a command',
    'cli/supervise.ts',
    /^(node:(fs|util|worker_threads)|@polyad\/charts\/visible-text)$/,
  ],
  [
    'a fit of a small table',
    'cli/commands/fit.ts',
    /^(node:(buffer|crypto|fs|fs\/promises|os|path|util|zlib)|commander|@polyad\/core(\/\w+)?|@polyad\/charts\/visible-text)$/,
  ],
])('%s loads no more than it needs', (_, entry, allowed) => {
  const opened = [...openedWith(entry)].filter(path => path.startsWith('/')).map(path => path.slice(1))
  for (const specifier of opened) expect(specifier).toMatch(allowed)
  expect(opened.length).toBeGreaterThan(2)
})

it('the library for spreadsheets is loaded when one is read or written', () => {
  for (const { path, text } of sources(polyad))
    expect(text.replace(/^import type .*$/gm, ''), path).not.toMatch(/^import .*from 'hucre/m)
})
