import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The documents, where a machine can check them. */

const root = fileURLToPath(new URL('../', import.meta.url))
const wasm = 'packages/core/src/engine/wasm'
const documents = [
  ...['README.md', 'CONTRIBUTING.md', `${wasm}/README.md`],
  ...['docs', 'bench'].flatMap(folder =>
    readdirSync(join(root, folder)).flatMap(name => (name.endsWith('.md') ? `${folder}/${name}` : [])),
  ),
  ...['bench/gpu/README.md', 'packages/core/src/engine/gpu/README.md'],
]

describe.each(documents)('%s', document => {
  const text = readFileSync(join(root, document), 'utf8')

  it('links to files that are there', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path)
    expect(links.filter(path => !existsSync(join(root, dirname(document), path)))).toEqual([])
  })

  it('names files and folders that are there', () => {
    const names = [...text.matchAll(/`((?:packages|test|docs|bench|scripts)\/[\w./-]+)`/g)].map(([, path]) => path)
    expect(names.filter(path => !existsSync(join(root, path)))).toEqual([])
  })
})

it('the README of the wasm engine tells of every file, and of no other', () => {
  const text = readFileSync(join(root, wasm, 'README.md'), 'utf8')
  const files = ['', 'kernels'].flatMap(folder => readdirSync(join(root, wasm, folder)))
  const sources = files.filter(name => /\.(ts|mjs)$/.test(name) && !/\.test\.ts$|^index\.ts$/.test(name))
  expect(sources.filter(name => !text.includes(`\`${name}\``))).toEqual([])
  const told = [...text.matchAll(/`([\w-]+\.(?:ts|mjs))`/g)].map(([, name]) => name)
  expect(told.filter(name => !files.includes(name))).toEqual([])
})
