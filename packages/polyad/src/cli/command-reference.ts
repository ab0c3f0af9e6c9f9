import type { Command } from 'commander'
import type { CommandDefinition } from './framework/define-command.ts'

/** The reference of the command line as Markdown, made from the commands themselves: a page for each, and one for what several of them have. */

/** A row of a table: a flag or a key, and its text. */
type Row = readonly [name: string, text: string]
interface Table {
  readonly title: string
  readonly rows: readonly Row[]
}

/** Pages by their paths below `docs/reference`. */
export type Pages = Readonly<Record<string, string>>

const SHARED = 'options.md'
const OBJECT = 'Object of --json'
/** Rows that so many commands have are explained once. */
const OFTEN = 3

export const reference = (program: Command, commands: readonly CommandDefinition[]): Pages => {
  const tables = commands.map(definition => tablesOf(definition, program))
  const shared = sharedTables(tables)
  return {
    'cli.md': overview(program, commands),
    [`commands/${SHARED}`]: page([
      '# Options of several commands',
      '',
      `What ${OFTEN} or more commands have in common. \`--help all\` of a command prints all of its options.`,
      '',
      ...shared.flatMap(({ title, rows }) => [`## ${title}`, '', ...markdown(rows)]),
    ]),
    ...Object.fromEntries(
      commands.map((definition, at) => [
        `commands/${definition.name}.md`,
        commandPage(definition, program, tables[at], shared),
      ]),
    ),
  }
}

const overview = (program: Command, commands: readonly CommandDefinition[]): string =>
  page([
    '# The command line',
    '',
    program.description(),
    '',
    '| command | what it does |',
    '|---|---|',
    ...commands.map(({ name, summary }) => `| [\`${name}\`](commands/${name}.md) | ${cell(summary)} |`),
    '',
    `[Options of several commands](commands/${SHARED}) has the rest: how data is read, samples, structures, the search.`,
    '',
    '## Output and exit codes',
    '',
    'Results go to standard output, as text or, with `--json`, as one object. It begins with `polyad`, the version of the program, and `schema`, the name of its [JSON Schema](../../packages/polyad/schema). Progress, notes, warnings and errors go to standard error, with `note:`, `warning:` or `error:` before them, or with `--progress json` as one object a line. With `--json` an error is an object too: `error` with `code` (POLYAD_OPTION, POLYAD_DATA, POLYAD_ENGINE, POLYAD_TIME), `message`, and `option` or `place` if there is one.',
    'Exit codes: 0 done, 1 an error in the data or on the machine, 2 a wrong option or argument, 129 terminal closed, 130 interrupted, 131 quit, 143 terminated. Ctrl-C once',
    'stops within about a second, or up to three if there is a model to print and save; twice quits at once. SIGTERM, SIGHUP and SIGQUIT do the same. Colour is used on',
    'a terminal only, and never if `NO_COLOR` is set. Tables are as wide as the terminal; `COLUMNS` sets another width.',
  ])

/** Everything that a command has, table by table: its options as the help describes them, and the keys of its object. */
const tablesOf = ({ name, options, fields }: CommandDefinition, program: Command): readonly Table[] => {
  const command = commandNamed(program, name)
  const help = command.createHelp()
  const described = (flags: string): string => {
    const option = command.options.find(each => each.flags === flags)
    return option === undefined ? '' : help.optionDescription(option)
  }
  return [
    ...options.map(({ title, options: all }) => ({
      title,
      rows: all.filter(({ hidden }) => hidden !== true).map(({ flags }): Row => [`\`${flags}\``, described(flags)]),
    })),
    { title: OBJECT, rows: fields.map(([keys, text]): Row => [codes(keys), text]) },
  ]
}

/** The rows that many commands have, in the order of the first that has them. */
const sharedTables = (all: readonly (readonly Table[])[]): readonly Table[] => {
  const times = new Map<string, number>()
  for (const { rows } of all.flat()) for (const row of rows) times.set(`${row}`, (times.get(`${row}`) ?? 0) + 1)
  const titles = [...new Set(all.flat().map(({ title }) => title))]
  const seen = new Set<string>()
  const isNew = (row: Row) => {
    if ((times.get(`${row}`) ?? 0) < OFTEN || seen.has(`${row}`)) return false
    seen.add(`${row}`)
    return true
  }
  return titles
    .map(title => ({
      title: title === 'Options' ? 'Files and names' : title,
      rows: all.flatMap(tables =>
        tables.filter(each => each.title === title).flatMap(({ rows }) => rows.filter(isNew)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0)
}

const commandPage = (
  { name, summary, examples }: CommandDefinition,
  program: Command,
  tables: readonly Table[],
  shared: readonly Table[],
): string => {
  const command = commandNamed(program, name)
  const sharedTitle = (row: Row) => shared.find(({ rows }) => rows.some(each => `${each}` === `${row}`))?.title
  const named = command.registeredArguments.map((each): Row => [`\`${each.name()}\``, each.description])
  return page([
    `# polyad ${name}`,
    '',
    `${capital(summary)}.`,
    '',
    '```',
    ...examples.flatMap(([line, text]) => [`# ${text}`, line]),
    '```',
    '',
    `Usage: \`${command.createHelp().commandUsage(command)}\``,
    '',
    ...titled('Arguments', named),
    ...tables.flatMap(({ title, rows }) => {
      const [first] = rows.flatMap(row => sharedTitle(row) ?? [])
      const elsewhere = rows.filter(row => sharedTitle(row) !== undefined)
      const also = elsewhere.map(([each]) => each.replace(/ <[^`]*|\s\[[^`]*/g, '')).join(', ')
      return [
        ...titled(
          title,
          rows.filter(row => sharedTitle(row) === undefined),
          elsewhere.length > 0,
        ),
        ...(first === undefined ? [] : [`As in other commands ([${first}](${SHARED}#${anchor(first)})): ${also}.`, '']),
      ]
    }),
  ])
}

const titled = (title: string, rows: readonly Row[], needed = false): string[] =>
  rows.length === 0 && !needed ? [] : [`## ${title}`, '', ...(rows.length === 0 ? [] : markdown(rows))]

const markdown = (rows: readonly Row[]): string[] => [
  '| | |',
  '|---|---|',
  ...rows.map(([name, text]) => `| ${name} | ${cell(text)} |`),
  '',
]

const page = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`

const commandNamed = (program: Command, name: string): Command =>
  program.commands.find(each => each.name() === name) as Command

const codes = (keys: string) =>
  keys
    .split(', ')
    .map(each => `\`${each}\``)
    .join(', ')

const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
