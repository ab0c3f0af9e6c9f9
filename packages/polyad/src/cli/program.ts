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
import { testNumbers } from './commands/test.ts'
import { train } from './commands/train.ts'
import { commandOf, defineCommand } from './running/define-command.ts'
import { version } from './running/record.ts'
import { reportFailure, USAGE } from './terminal/failure.ts'
import { columnsOf } from './terminal/terminal.ts'
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
  run: ({ program }) => {
    process.stdout.write(reference(program, COMMANDS))
  },
})

/** The parser of the command line. */
export const program = (): Command => {
  const polyad = new Command('polyad')
    .description(SUMMARY)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\npolyad <command> --help shows its examples and options.')
  for (const command of COMMANDS) polyad.addCommand(commandOf(command))
  polyad.addCommand(commandOf(referenceCommand), { hidden: true })
  for (const command of [polyad, ...polyad.commands]) quietly(command)
  return polyad
}

/** Errors are thrown, not printed by the parser: they are told in one place, with the right exit code. */
const quietly = (command: Command): void => {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {}, getOutHelpWidth: () => columnsOf(process.stdout) ?? 80 })
    .showHelpAfterError(false)
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      subcommandTerm: each => each.name(),
      minWidthToWrap: 20,
    })
}

export const runProgram = async (argv: readonly string[]): Promise<void> => {
  const polyad = program()
  try {
    if (argv.length <= 2) {
      polyad.outputHelp({ error: true })
      process.exitCode = USAGE
      return
    }
    await polyad.parseAsync([...argv])
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    process.exitCode = reportFailure(error)
    // What was still under way when the time was up is not waited for.
    if (error instanceof TimeUp) process.exit()
  }
}
