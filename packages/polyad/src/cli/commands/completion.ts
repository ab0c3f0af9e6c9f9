import type { Command } from 'commander'
import { defineCommand } from '../framework/define-command.ts'
import { SUMMARIES } from '../options/summaries.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof SHELLS)[number]

export const completion = defineCommand({
  name: 'completion',
  summary: SUMMARIES.completion,
  examples: [
    ['eval "$(polyad completion bash)"', 'in ~/.bashrc'],
    ['eval "$(polyad completion zsh)"', 'in ~/.zshrc'],
    ['polyad completion powershell | Out-String | Invoke-Expression', 'in the file that $PROFILE names'],
  ],
  arguments: [{ name: '<shell>', text: 'your shell', choices: SHELLS }],
  options: [],
  fields: [],
  run: ({ terminal, program }, _: object, shell: Shell) => {
    terminal.print(completionScript(shell, program))
  },
})

/** The flags of a command: made from the commands themselves, so that they are never out of date. */
const flags = (command: Command): string[] =>
  [...command.createHelp().visibleOptions(command)].flatMap(({ short, long }) =>
    [long, short].filter(flag => flag !== undefined),
  )

export const completionScript = (shell: Shell, polyad: Command): string => {
  const commands = polyad.commands.filter(command => !(command as unknown as { _hidden: boolean })._hidden)
  if (shell === 'fish') return fishScript(commands)
  if (shell === 'powershell') return powershellScript(commands)
  const cases = commands.map(command => `    ${command.name()}) words="${flags(command).join(' ')}" ;;`)
  const bash = [
    '_polyad() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" words=""`,
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...commands.map(command => command.name()), '--help', '--version'].join(' ')}"; fi`,
    '  COMPREPLY=()',
    `  if [ "$COMP_CWORD" -eq 1 ] || [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi`,
    '}',
    'complete -o default -o bashdefault -F _polyad polyad',
    '',
  ]
  const zsh =
    shell === 'zsh' ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'] : []
  return [...zsh, ...bash].join('\n')
}

const fishScript = (commands: readonly Command[]): string => {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  return `${commands
    .flatMap(command => [
      `complete -c polyad -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...command
        .createHelp()
        .visibleOptions(command)
        .flatMap(({ long, short, description }) => {
          const shortFlag = short === undefined ? '' : ` -s ${short.slice(1)}`
          if (long === undefined || long === null) return []
          return [
            `complete -c polyad -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)}${shortFlag} -d ${quoted(description)}`,
          ]
        }),
    ])
    .join('\n')}\n`
}

const powershellScript = (commands: readonly Command[]): string => {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  const listed = (texts: readonly string[]) => `@(${texts.map(quoted).join(', ')})`
  return [
    'Register-ArgumentCompleter -Native -CommandName polyad -ScriptBlock {',
    '  param($word, $line, $position)',
    '  $flags = @{',
    ...commands.map(command => `    ${quoted(command.name())} = ${listed(flags(command))}`),
    '  }',
    '  $words = @($line.CommandElements | ForEach-Object { "$_" })',
    `  $commands = ${listed([...commands.map(command => command.name()), '--help', '--version'])}`,
    '  $first = $words.Count -lt 2 -or ($words.Count -eq 2 -and $word -ne "")',
    '  $choices = if ($first) { $commands } elseif ("$word".StartsWith("-")) { $flags[$words[1]] } else { @() }',
    '  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object {',
    '    [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)',
    '  }',
    '}',
    '',
  ].join('\n')
}
