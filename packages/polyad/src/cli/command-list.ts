import { Command } from 'commander'
import { version } from '../package-file.ts'
import { SUMMARIES } from './options/summaries.ts'
import { columnsOf, type Io, PROCESS_IO } from './terminal/io.ts'

/** The list of commands, which loads none of them. */

export const SUMMARY = 'Finds the hidden structure in counts: latent classes and KL tensor decomposition.'

/** The parser of the command line without its commands. */
export const rootCommand = (): Command =>
  new Command('polyad')
    .description(SUMMARY)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\npolyad <command> --help   its examples and options\npolyad docs               the documentation\npolyad example            data to try',
    )

/** Errors are thrown, not printed by the parser: they are told in one place, with the right exit code. */
export const quietly = (command: Command, io: Io): void => {
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

/** Prints the commands and what each of them does. @param options `error`: to the standard error */
export const printList = (io: Io = PROCESS_IO, { error = false }: { readonly error?: boolean } = {}): void => {
  const polyad = rootCommand()
  for (const [name, summary] of Object.entries(SUMMARIES)) polyad.addCommand(new Command(name).description(summary))
  quietly(polyad, io)
  polyad.outputHelp({ error })
}
