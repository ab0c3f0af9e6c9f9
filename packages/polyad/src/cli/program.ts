import { Command, CommanderError } from 'commander'
import { classifyCommand } from './commands/classify.ts'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { convertCommand } from './commands/convert.ts'
import { fitCommand } from './commands/fit.ts'
import { imputeCommand } from './commands/impute.ts'
import { independenceCommand } from './commands/independence.ts'
import { irisCommand } from './commands/iris.ts'
import { rankCommand } from './commands/rank.ts'
import { sampleCommand } from './commands/sample.ts'
import { showCommand } from './commands/show.ts'
import { trainCommand } from './commands/train.ts'
import { describe } from './options/describe.ts'
import { version } from './record.ts'
import { reference } from './reference.ts'
import { reportFailure, USAGE } from './terminal/failure.ts'

/** The command line. What is heavy (DuckDB, charts) is loaded by those who need it, when they need it. */
export const program = (): Command => {
  const polyad = new Command('polyad')
    .description('Finds the hidden structure in counts: latent classes and KL tensor decomposition.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addCommand(fitCommand())
    .addCommand(rankCommand())
    .addCommand(independenceCommand())
    .addCommand(classifyCommand())
    .addCommand(trainCommand())
    .addCommand(showCommand())
    .addCommand(compareCommand())
    .addCommand(sampleCommand())
    .addCommand(imputeCommand())
    .addCommand(convertCommand())
    .addCommand(irisCommand())
    .addCommand(completionCommand())
    .addCommand(referenceCommand(), { hidden: true })
  polyad.addHelpText('after', '\npolyad <command> --help shows examples and every option of a command.')
  for (const command of [polyad, ...polyad.commands]) quietly(command)
  return polyad
}

const referenceCommand = (): Command =>
  describe('reference', 'print the reference of the command line', []).action((_: unknown, command: Command) => {
    process.stdout.write(reference(command.parent as Command))
  })

/** Errors are thrown, not printed by the parser: they are told in one place, with the right exit code. */
const quietly = (command: Command): void => {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showHelpAfterError(false)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
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
  }
}
