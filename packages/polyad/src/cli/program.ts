import { OptionError } from '@polyad/core'
import { type Command, CommanderError } from 'commander'
import { hasPassword, redacted } from '../engine/sql/address.ts'
import { version } from '../package-file.ts'
import { printList, quietly, rootCommand } from './command-list.ts'
import { reference } from './command-reference.ts'
import { schemas } from './command-schema.ts'
import { advised } from './framework/call-advice.ts'
import { type CommandDefinition, commandOf, defineCommand, type Running } from './framework/define-command.ts'
import type { CommandName } from './options/summaries.ts'
import { asksForList } from './short-calls.ts'
import { reportFailure, USAGE } from './terminal/failure.ts'
import { type Io, PROCESS_IO } from './terminal/io.ts'
import { mannerOf } from './terminal/remark.ts'
import { TimeUp } from './terminal/time-limit.ts'

/** All commands by their names, in the order of the help. A command is loaded when it is called. */
const LOADERS: Readonly<Record<CommandName, () => Promise<CommandDefinition>>> = {
  fit: () => import('./commands/fit.ts').then(({ fitClasses }) => fitClasses),
  rank: () => import('./commands/rank.ts').then(({ rank }) => rank),
  test: () => import('./commands/test.ts').then(({ testNumbers }) => testNumbers),
  independence: () => import('./commands/independence.ts').then(({ independence }) => independence),
  update: () => import('./commands/update.ts').then(({ update }) => update),
  classify: () => import('./commands/classify.ts').then(({ classify }) => classify),
  distal: () => import('./commands/distal.ts').then(({ distal }) => distal),
  regress: () => import('./commands/regress.ts').then(({ regress }) => regress),
  train: () => import('./commands/train.ts').then(({ train }) => train),
  show: () => import('./commands/show.ts').then(({ show }) => show),
  report: () => import('./commands/report.ts').then(({ report }) => report),
  plot: () => import('./commands/plot.ts').then(({ plot }) => plot),
  table: () => import('./commands/table.ts').then(({ table }) => table),
  drift: () => import('./commands/drift.ts').then(({ drift }) => drift),
  compare: () => import('./commands/compare.ts').then(({ compare }) => compare),
  sample: () => import('./commands/sample.ts').then(({ sample }) => sample),
  impute: () => import('./commands/impute.ts').then(({ impute }) => impute),
  convert: () => import('./commands/convert.ts').then(({ convert }) => convert),
  studio: () => import('./commands/studio.ts').then(({ studio }) => studio),
  example: () => import('./commands/example.ts').then(({ example }) => example),
  docs: () => import('./commands/docs.ts').then(({ docs }) => docs),
  cite: () => import('./commands/cite.ts').then(({ cite }) => cite),
  clean: () => import('./commands/clean.ts').then(({ clean }) => clean),
  iris: () => import('./commands/iris.ts').then(({ iris }) => iris),
  completion: () => import('./commands/completion.ts').then(({ completion }) => completion),
}

/** The definitions of all commands. */
export const loadCommands = (): Promise<readonly CommandDefinition[]> =>
  Promise.all(Object.values(LOADERS).map(load => load()))

const isCommand = (name: string): name is CommandName => Object.hasOwn(LOADERS, name)

/** Those that a command line needs: the one that it names, or all, if it asks for what all of them have. */
const commandsFor = async ([name = '']: readonly string[]): Promise<readonly CommandDefinition[]> =>
  isCommand(name) && name !== 'completion' ? [await LOADERS[name]()] : loadCommands()

const referenceCommand = (commands: readonly CommandDefinition[]) =>
  defineCommand({
    name: 'reference',
    summary: 'print the reference of the command line',
    examples: [],
    arguments: [{ name: '[part]', text: 'of the reference', choices: ['pages', 'schemas'] }],
    options: [],
    fields: [],
    run: ({ terminal, program }, _: object, part?: 'pages' | 'schemas') =>
      terminal.print(JSON.stringify(part === 'schemas' ? schemas(commands) : reference(program, commands))),
  })

const IDLE: Running = { io: PROCESS_IO, words: [], ends: () => {} }

/** The parser of the command line. */
export const program = (commands: readonly CommandDefinition[], running: Running = IDLE): Command => {
  const polyad = rootCommand()
  for (const command of commands) polyad.addCommand(commandOf(command, running))
  polyad.addCommand(commandOf(referenceCommand(commands), running), { hidden: true })
  for (const command of [polyad, ...polyad.commands]) quietly(command, running.io)
  return polyad
}

/**
 * The arguments of a process can be read by every user of the machine, from its first moment on. So a password there is refused, before it becomes a habit:
 * hiding it later would be too late.
 */
const refusePasswords = (words: readonly string[]): void => {
  const address = words.find(hasPassword)
  if (address === undefined) return
  throw new OptionError(
    `${redacted(address)}: other users of this machine can read a password on the command line. Leave it out of the address and ` +
      'set CLICKHOUSE_PASSWORD. If others use this machine, they may have seen this password: change it',
  )
}

/** Runs a command line, given as its words, and returns its exit code. */
export const runProgram = async (words: readonly string[], io: Io = PROCESS_IO): Promise<number> => {
  let code = 0
  const ends: Running['ends'] = given => {
    code = given ?? code
  }
  // An answer that was given stays the only one, also if a file could not be written after it.
  let answered = false
  const stdout = {
    isTTY: io.stdout.isTTY === true,
    columns: io.stdout.columns ?? 0,
    write: (text: string) => {
      answered = true
      return io.stdout.write(text)
    },
  }
  if (words.length === 0) {
    printList(io, { error: true })
    return USAGE
  }
  if (words.length === 1 && words[0] === 'version') {
    io.stdout.write(`${version}\n`)
    return 0
  }
  if (asksForList(words)) {
    printList(io)
    return 0
  }
  const commands = await commandsFor(words)
  const polyad = program(commands, { io: { ...io, stdout }, words, ends })
  try {
    refusePasswords(words)
    await polyad.parseAsync([...words], { from: 'user' })
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return code
    const error = advised(thrown, words, commands)
    const manner = mannerOf(words)
    code = reportFailure(error, io, { ...manner, json: manner.json && !answered })
    // What was still under way when the time was up is not waited for.
    if (error instanceof TimeUp) io.leave(code)
  }
  return code
}
