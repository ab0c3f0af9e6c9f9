import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tensor } from '@polyad/core'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { schemas } from '../packages/polyad/src/cli/command-schema.ts'
import { loadCommands, runProgram } from '../packages/polyad/src/cli/program.ts'
import type { JsonSchema } from '../packages/polyad/src/cli/schema/type-notation.ts'

/** The command line: run within this process where nothing more is needed, else as the built command in a process of its own. */

export const command = fileURLToPath(new URL('../packages/polyad/bin/polyad.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string | Uint8Array
  readonly env?: Record<string, string>
  /** Each is called once with the process, after it has written this to standard error, in turn. */
  readonly when?: { readonly said: string; readonly act: (pid: number) => void }[]
}

/** Standard streams, signals, limits of time and the environment are those of a process. */
const needsProcess = (args: readonly string[], { input, env = {}, when }: RunOptions): boolean =>
  [input, when].some(given => given !== undefined) ||
  Object.keys(env).some(name => name !== 'COLUMNS') ||
  args.some(word => ['-', '--max-seconds', 'studio'].includes(word)) ||
  (args[0] === 'sample' && !args.includes('-o'))

export const polyad = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  needsProcess(args, options) ? polyadProcess(args, options) : polyadWithin(args, options)

/** A command that ended at once. */
class Left extends Error {}

const polyadWithin = async (args: readonly string[], { cwd, env = {} }: RunOptions): Promise<Ended> => {
  const before = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
  })
  let left: number | null = null
  const code = await runProgram(args, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: { ...process.env, ...env },
    began: performance.now(),
    signals: undefined,
    leave: given => {
      left = given
      throw new Left()
    },
  })
    .catch(error => {
      if (error instanceof Left) return left
      throw error
    })
    .finally(() => process.chdir(before))
  return { code, ...said }
}

/** The built command, run as a process of its own. */
export const polyadProcess = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    const waiting = [...(options.when ?? [])]
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString()
    })
    child.stderr.on('data', (text: Buffer) => {
      stderr += text.toString()
      while (waiting.length > 0 && stderr.includes(waiting[0].said)) waiting.shift()?.act(child.pid as number)
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })

/** Ctrl-C, or another signal, as soon as a process has written something to standard error. */
export const signalWhen = (said: string, signal: NodeJS.Signals = 'SIGINT') => ({
  said,
  act: (pid: number) => void process.kill(pid, signal),
})

/** The same once a file has so many bytes as well, such as a checkpoint, which begins with a few and then has results. */
export const signalOnceThere = (said: string, path: string, bytes: number, signal: NodeJS.Signals = 'SIGINT') => ({
  said,
  act: (pid: number) => {
    const timer = setInterval(() => {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) return
      clearInterval(timer)
      process.kill(pid, signal)
    }, 5)
  },
})

/** A folder that is removed in the end. */
export const scratchFolder = (): { path: (name: string) => string; folder: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'polyad-cli-'))
  return { folder, path: name => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A tensor as a CSV table with a column n of counts; where it has no labels, with the categories from 1. */
export const csvOf = ({ modes, cells, indices, values }: Tensor): string => {
  const lines = Array.from({ length: cells }, (_, cell) =>
    [...modes.map(({ labels }, n) => labels?.[indices[n][cell]] ?? indices[n][cell] + 1), values[cell]].join(','),
  )
  return `${[...modes.map(({ name }) => name), 'n'].join(',')}\n${lines.join('\n')}\n`
}

const COMMANDS = await loadCommands()

/** A schema that allows no keys but those that it names. */
const closed = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.type === 'object' && { additionalProperties: schema.additionalProperties ?? false }),
  ...(schema.items !== undefined && { items: closed(schema.items) }),
  ...(schema.anyOf !== undefined && { anyOf: schema.anyOf.map(closed) }),
  ...(schema.properties !== undefined && {
    properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, closed(each)])),
  }),
})

const SCHEMAS = schemas(COMMANDS)
const checks = new Map<string, ValidateFunction>()

/** What is wrong with the object of a command, by its schema: also keys that it does not name. */
export const faultsOf = (object: unknown, command: string): unknown => {
  const check = checks.get(command) ?? new Ajv({ allErrors: true, verbose: true }).compile(closed(SCHEMAS[command]))
  checks.set(command, check)
  check(object)
  return check.errors?.map(({ instancePath, message, params, data }) => ({ instancePath, message, params, data })) ?? []
}

/** The object on standard output, which its schema must describe completely. */
export const objectOf = ({ code, stdout, stderr }: Ended, command: string) => {
  expect(code, stderr).toBe(0)
  const object = JSON.parse(stdout)
  expect(faultsOf(object, command), `the object of polyad ${command}`).toEqual([])
  return object
}
