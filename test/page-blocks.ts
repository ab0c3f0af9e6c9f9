import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Block, blocksOf, root } from './document-blocks.ts'

/**
 * The code of a guide, run as its reader would run it: all blocks in order, in a folder with the files that the page links to.
 * An `output` block after one that runs has lines that it must print, in this order; `…` stands for lines left out.
 */

export interface Followed extends Block {
  readonly output: readonly string[]
}

/** What no machine here can run: programs that must be bought, and files that are shown. */
const SHOWN = ['output', 'mplus', 'latentgold', 'matlab']

/** The blocks of a page that are run, each with the output that is shown after it. */
export const followedBlocks = (page: string): Followed[] => {
  const blocks = blocksOf(page)
  return blocks.flatMap((block, at) => {
    if (block.notRun !== undefined || SHOWN.includes(block.language)) return []
    const next = blocks[at + 1]
    return [{ ...block, output: next?.language === 'output' && next.notRun === undefined ? next.code.split('\n') : [] }]
  })
}

/** A folder in which a page is followed: `polyad` is a command there, packages are installed, and linked tables and scripts lie in it. */
export const pageFolder = (page: string, folder: string): void => {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const command = join(folder, 'bin/polyad')
  writeFileSync(
    command,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'packages/polyad/bin/polyad.js')}" "$@"\n`,
  )
  chmodSync(command, 0o755)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const text = readFileSync(join(root, page), 'utf8')
  for (const [, link] of text.matchAll(/\]\(([^)\s#:]+\.(?:csv|py|R))\)/g)) {
    copyFileSync(join(root, dirname(page), link), join(folder, basename(link)))
  }
}

const environment = (folder: string) => ({
  ...process.env,
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  COLUMNS: '100',
  NO_COLOR: '1',
})

/** A program to its end: what it wrote to both streams. */
const run = (folder: string, command: string, args: readonly string[]): string => {
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', command, ...args], {
    cwd: folder,
    env: environment(folder),
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error}:\n${stdout.slice(-3000)}`)
  return stdout
}

/** Python with what the block imports, R with the packages that it loads; undefined where there is none. */
const PYTHONS = [process.env.POLYAD_PYTHON, join(root, 'bench/.peers/bin/python'), 'python3']
const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

const pythonFor = (code: string): string | undefined => {
  const modules = [...code.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name)
  const foreign = modules.filter(name => !['polyad', 'json', 'subprocess'].includes(name))
  return PYTHONS.find(
    python => python !== undefined && succeeds(python, ['-c', foreign.map(name => `import ${name}`).join('\n')]),
  )
}

const rscriptFor = (code: string): string | undefined => {
  const packages = [...code.matchAll(/\blibrary\((\w+)\)/g)].map(([, name]) => `library(${name})`)
  return succeeds('Rscript', ['-e', ['1', ...packages].join('; ')]) ? 'Rscript' : undefined
}

/** Runs a block; gives its output, or undefined if this machine lacks what it needs. */
export const runBlock = (folder: string, { language, code, line }: Block): string | undefined => {
  const file = (ending: string): string => {
    const path = join(folder, `line-${line}.${ending}`)
    writeFileSync(path, code)
    return path
  }
  switch (language) {
    case 'sh':
      return run(folder, 'bash', ['-eo', 'pipefail', file('sh')])
    case 'ts': {
      const source = file('ts')
      const options = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--strict', '--skipLibCheck', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), '--ignoreConfig'] // biome-ignore format: one command
      run(folder, process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), source, ...options])
      return run(folder, process.execPath, [source.replace(/ts$/, 'js')])
    }
    case 'python': {
      const python = pythonFor(code)
      return python === undefined ? undefined : run(folder, python, [file('py')])
    }
    case 'r': {
      const rscript = rscriptFor(code)
      return rscript === undefined ? undefined : run(folder, rscript, [file('R')])
    }
    default:
      throw new Error(`line ${line}: no way to run ${language}`)
  }
}

/** The first line of the shown output that did not come, or undefined. */
export const missingLine = (shown: readonly string[], said: string): string | undefined => {
  const lines = said.split('\n').map(line => line.trimEnd())
  let at = 0
  for (const line of shown.map(each => each.trimEnd()).filter(each => each !== '…' && each !== '')) {
    const found = lines.indexOf(line, at)
    if (found < 0) return line
    at = found + 1
  }
  return undefined
}
