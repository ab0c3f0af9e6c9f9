import type { Command } from 'commander'
import type { CommandDefinition } from './framework/define-command.ts'

/** The reference of the command line as Markdown, made from the commands themselves. */
export const reference = (program: Command, commands: readonly CommandDefinition[]): string =>
  `${[
    '# The command line',
    '',
    '`npm run docs:cli` makes this page from the commands themselves.',
    '',
    program.description(),
    '',
    '| command | what it does |',
    '|---|---|',
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#polyad-${name}) | ${cell(summary)} |`),
    '',
    'Results go to standard output, as text or, with `--json`, as one object. It begins with `polyad`, the version of the program, and `schema`, the name of its [JSON Schema](../../packages/polyad/schema). Progress, notes, warnings and errors go to standard error, with `note:`, `warning:` or `error:` before them, or with `--progress json` as one object a line. With `--json` an error is an object too: `error` with `code` (POLYAD_OPTION, POLYAD_DATA, POLYAD_ENGINE, POLYAD_TIME), `message`, and `option` or `place` if there is one.',
    'Exit codes: 0 done, 1 an error in the data or on the machine, 2 a wrong option or argument, 129 terminal closed, 130 interrupted, 131 quit, 143 terminated. Ctrl-C once',
    'stops within about a second, or up to three if there is a model to print and save; twice quits at once. SIGTERM, SIGHUP and SIGQUIT do the same. Colour is used on',
    'a terminal only, and never if `NO_COLOR` is set. Tables are as wide as the terminal; `COLUMNS` sets another width.',
    '',
    ...commands.flatMap(command => section(command, program)),
  ]
    .join('\n')
    .trimEnd()}\n`

const section = (definition: CommandDefinition, program: Command): string[] => {
  const { name, summary, examples, options, fields } = definition
  const command = program.commands.find(each => each.name() === name) as Command
  const help = command.createHelp()
  const described = (flags: string): string => {
    const option = command.options.find(each => each.flags === flags)
    return option === undefined ? '' : help.optionDescription(option)
  }
  const codes = (key: string) =>
    key
      .split(', ')
      .map(each => `\`${each}\``)
      .join(', ')
  const named = command.registeredArguments.map(each => `| \`${each.name()}\` | ${cell(each.description)} |`)
  return [
    `## polyad ${name}`,
    '',
    `${capital(summary)}.`,
    '',
    '```',
    ...examples.flatMap(([line, text]) => [`# ${text}`, line]),
    '```',
    '',
    `Usage: \`${help.commandUsage(command)}\``,
    '',
    ...table('argument', named),
    ...options.flatMap(group => {
      const shown = group.options.filter(({ hidden }) => hidden !== true)
      return table(
        group.title.toLowerCase(),
        shown.map(({ flags }) => `| \`${flags}\` | ${cell(described(flags))} |`),
      )
    }),
    ...table(
      'the object of `--json`',
      fields.map(([key, text]) => `| ${codes(key)} | ${cell(text)} |`),
    ),
  ]
}

const table = (title: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [`| ${title} | |`, '|---|---|', ...rows, '']

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
