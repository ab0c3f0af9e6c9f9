import { Command } from 'commander'

/** A command line that works, and what it is for. */
export type Example = readonly [line: string, text: string]

const examplesOfCommand = new WeakMap<Command, readonly Example[]>()

export const examplesOf = (command: Command): readonly Example[] => examplesOfCommand.get(command) ?? []

/** A command with its examples, which its help shows first. */
export const describe = (name: string, summary: string, examples: readonly Example[]): Command => {
  const command = new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'print this help')
    .optionsGroup('Options:')
  examplesOfCommand.set(command, examples)
  const width = Math.max(0, ...examples.map(([line]) => line.length))
  const lines = examples.map(([line, text]) => `  ${line.padEnd(width)}  ${text}`)
  return examples.length === 0 ? command : command.addHelpText('before', ['Examples:', ...lines, ''].join('\n'))
}

/** The options that every command has. */
export const withOutput = (command: Command): Command =>
  command
    .optionsGroup('Output:')
    .option('--json', 'one JSON object on standard output')
    .option('-q, --quiet', 'no progress and no remarks')
