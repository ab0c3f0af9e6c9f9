import type { Command, Option } from 'commander'
import { examplesOf } from './options/describe.ts'
import { fieldsOf } from './options/json-fields.ts'

/** The reference of the command line as Markdown, made from the commands themselves. */
export const reference = (polyad: Command): string => {
  const commands = polyad.commands.filter(command => !(command as unknown as { _hidden: boolean })._hidden)
  return `${[
    '# The command line',
    '',
    'This page is made from the commands themselves by `polyad reference`.',
    '',
    polyad.description(),
    '',
    '| command | what it does |',
    '|---|---|',
    ...commands.map(
      command => `| [\`${command.name()}\`](#polyad-${command.name()}) | ${cell(command.description())} |`,
    ),
    '',
    'The answer goes to standard output, as text or, with `--json`, as one object; progress and remarks go to standard error.',
    'Exit codes: 0 done, 1 an error in the data or the machine, 2 a wrong call, 130 interrupted. Ctrl-C once stops at the next',
    'pass, prints and saves the best so far; twice leaves at once. Colour is used on a terminal only, and never with `NO_COLOR`.',
    '',
    ...commands.flatMap(section),
  ]
    .join('\n')
    .trimEnd()}\n`
}

const section = (command: Command): string[] => {
  const help = command.createHelp()
  const named = command.registeredArguments.map(
    argument => `| \`${argument.name()}\` | ${cell(argument.description)} |`,
  )
  const fields = fieldsOf(command).map(
    ([key, text]) =>
      `| ${key
        .split(', ')
        .map(name => `\`${name}\``)
        .join(', ')} | ${cell(text)} |`,
  )
  const groups = new Map<string, Option[]>()
  for (const option of help.visibleOptions(command)) {
    const group = option.helpGroupHeading ?? 'Options:'
    groups.set(group, [...(groups.get(group) ?? []), option])
  }
  return [
    `## polyad ${command.name()}`,
    '',
    `${capital(command.description())}.`,
    '',
    '```',
    ...examplesOf(command).flatMap(([line, text]) => [`# ${text}`, line]),
    '```',
    '',
    `Usage: \`${help.commandUsage(command)}\``,
    '',
    ...(named.length === 0 ? [] : ['| argument | |', '|---|---|', ...named, '']),
    ...[...groups].flatMap(([group, options]) => [
      `| ${group.replace(/:$/, '').toLowerCase()} | |`,
      '|---|---|',
      ...options.map(option => `| \`${option.flags}\` | ${cell(help.optionDescription(option))} |`),
      '',
    ]),
    ...(fields.length === 0 ? [] : ['| the object of `--json` | |', '|---|---|', ...fields, '']),
  ]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
