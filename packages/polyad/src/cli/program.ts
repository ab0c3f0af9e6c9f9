import { Command, CommanderError } from 'commander'
import { reference } from './command-reference.ts'
import { classify } from './commands/classify.ts'
import { clean } from './commands/clean.ts'
import { compare } from './commands/compare.ts'
import { completion } from './commands/completion.ts'
import { convert } from './commands/convert.ts'
import { distal } from './commands/distal.ts'
import { fitClasses } from './commands/fit.ts'
import { impute } from './commands/impute.ts'
import { independence } from './commands/independence.ts'
import { iris } from './commands/iris.ts'
import { plot } from './commands/plot.ts'
import { rank } from './commands/rank.ts'
import { report } from './commands/report.ts'
import { sample } from './commands/sample.ts'
import { show } from './commands/show.ts'
import { studio } from './commands/studio.ts'
import { table } from './commands/table.ts'
import { testNumbers } from './commands/test.ts'
import { train } from './commands/train.ts'
import { commandOf, defineCommand, type Running } from './running/define-command.ts'
import { version } from './running/record.ts'
import { reportFailure, USAGE } from './terminal/failure.ts'
import { columnsOf, type Io, PROCESS_IO } from './terminal/io.ts'
import { TimeUp } from './terminal/time-limit.ts'

export const SUMMARY = 'Finds the hidden structure in counts: latent classes and KL tensor decomposition.'

/** All commands, in the order of the help. What is heavy (DuckDB, charts) is loaded by those who need it, when they do. */
export const COMMANDS = [
  fitClasses,
  rank,
  testNumbers,
  independence,
  classify,
  distal,
  train,
  show,
  report,
  plot,
  table,
  compare,
  sample,
  impute,
  convert,
  studio,
  clean,
  iris,
  completion,
]

const referenceCommand = defineCommand({
  name: 'reference',
  summary: 'print the reference of the command line',
  examples: [],
  arguments: [],
  options: [],
  fields: [],
  run: ({ terminal, program }) => terminal.print(reference(program, COMMANDS)),
})

const IDLE: Running = { io: PROCESS_IO, words: [], ends: () => {} }

/** The parser of the command line. */
export const program = (running: Running = IDLE): Command => {
  const polyad = new Command('polyad')
    .description(SUMMARY)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\npolyad <command> --help shows its examples and options.')
  for (const command of COMMANDS) polyad.addCommand(commandOf(command, running))
  polyad.addCommand(commandOf(referenceCommand, running), { hidden: true })
  for (const command of [polyad, ...polyad.commands]) quietly(command, running.io)
  return polyad
}

/** Errors are thrown, not printed by the parser: they are told in one place, with the right exit code. */
const quietly = (command: Command, io: Io): void => {
  command
    .exitOverride()
    .configureOutput({
      writeOut: text => void io.stdout.write(text),
      writeErr: text => void io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => columnsOf(io.stdout, io) ?? 80,
      getErrHelpWidth: () => columnsOf(io.stderr, io) ?? 80,
    })
    .showHelpAfterError(false)
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      subcommandTerm: each => each.name(),
      minWidthToWrap: 20,
    })
}

/** Runs a command line, given as its words, and returns its exit code. */
export const runProgram = async (words: readonly string[], io: Io = PROCESS_IO): Promise<number> => {
  let code = 0
  const ends: Running['ends'] = given => {
    code = given ?? code
  }
  const polyad = program({ io, words, ends })
  if (words.length === 0) {
    polyad.outputHelp({ error: true })
    return USAGE
  }
  try {
    await polyad.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return code
    code = reportFailure(error, io)
    // What was still under way when the time was up is not waited for.
    if (error instanceof TimeUp) io.leave(code)
  }
  return code
}
