import { messageOf, type Naming, omit } from '@polyad/core/options'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { CommandArgument, CommandOption, Example, Field, OptionGroup } from '../options/definition.ts'
import { flagNaming } from '../options/naming.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { catchInterrupt, type Interrupt } from '../terminal/interrupt.ts'
import { columnsOf, gathered, type Io } from '../terminal/io.ts'
import { type ProgressLine, progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal, type Terminal } from '../terminal/terminal.ts'
import { type TimeLimit, TimeUp, timeLimit } from '../terminal/time-limit.ts'
import { helpView } from './help-topics.ts'

/** What a command works with; whatever is open is closed when it ends. */
export interface Call {
  readonly terminal: Terminal
  readonly line: ProgressLine
  readonly interrupt: Interrupt
  /** From here on a signal or the end of the time stops the work, and the best so far is the answer. Without a limit: when that of the whole command passes. */
  readonly stoppable: (limit?: TimeLimit) => void
  /** A limit on the whole command, in seconds. */
  readonly limit: (seconds: number | undefined) => TimeLimit
  /** Says that there is something to answer with, or to remove from a database: ending takes a moment. */
  readonly found: () => void
  /** Says that a file with a result is there, whatever happens after it. */
  readonly kept: (path: string) => void
  /** Has an answer said that there is already, if the command is ended before it has a better one. */
  readonly sofar: (print: (terminal: Terminal) => void) => void
  /** Sets the exit code; undefined leaves it as it is. */
  readonly ends: (code: number | undefined) => void
  /** Files that the options of the command name to be written. */
  readonly writes: readonly string[]
  /** The words of the command line. */
  readonly words: readonly string[]
  /** Has something closed when the command ends, however it ends. */
  readonly onEnd: (close: () => Promise<void>) => void
  /** The whole command line, for the commands that describe it. */
  readonly program: Command
}

/** Everything there is to know of a command: its help, the reference, the completion and the parser are made from it. */
export interface CommandDefinition {
  readonly name: string
  readonly summary: string
  /** Shown first in the help. */
  readonly examples: readonly Example[]
  readonly arguments: readonly CommandArgument[]
  readonly options: readonly OptionGroup[]
  /** The object of --json: the reference prints it, and tests hold the commands to it. */
  readonly fields: readonly Field[]
  readonly run: (call: Call, options: never, ...args: never[]) => Promise<void> | void
}

/** Defines a command; the types of its options and arguments are those that `run` takes. */
export const defineCommand = <O extends object, A extends readonly unknown[]>(
  definition: Omit<CommandDefinition, 'run'> & {
    readonly run: (call: Call, options: O, ...args: A) => Promise<void> | void
  },
): CommandDefinition => definition as unknown as CommandDefinition

/** What a command line runs with. */
export type Running = { readonly io: Io } & Pick<Call, 'words' | 'ends'>

/** The parser of a command. */
export const commandOf = (definition: CommandDefinition, running: Running): Command => {
  const { name, summary, examples, options } = definition
  const command = new Command(name).description(summary).helpOption('-h, --help', 'print this help')
  for (const each of definition.arguments) {
    const argument = new Argument(each.name, each.text)
    command.addArgument(each.choices === undefined ? argument : argument.choices(each.choices))
  }
  const view = helpView(options, running.words)
  for (const group of options) {
    command.optionsGroup(`${group.title}:`)
    for (const option of group.options) {
      const shown = view === undefined || view.shows(group, option)
      for (const each of parserOptions(option)) command.addOption(shown ? each : each.hideHelp())
    }
  }
  if (examples.length > 0)
    command.addHelpText('before', ['Examples:', ...exampleLines(examples, running.io), ''].join('\n'))
  if (view !== undefined) command.addHelpText('after', view.footer.join('\n'))
  const naming = flagNaming(options.flatMap(group => group.options))
  return command.action((...given: unknown[]) => runCommand(definition, naming, given, running))
}

/** The option, and its other flag. */
const parserOptions = (definition: CommandOption): Option[] => {
  const option = parserOption(definition)
  const other = definition.formerly ?? definition.alias
  if (other === undefined) return [option]
  const flags = `${other}${definition.flags.slice(option.flags.indexOf(option.long ?? '') + (option.long ?? '').length)}`
  const same = omit(definition, 'default', 'defaultText')
  return [option, parserOption({ ...same, flags, hidden: true })]
}

/** Values that were given by the other flag of an option, under its name; a flag that is called otherwise now gets a note. */
const renamed = <O extends object>(groups: readonly OptionGroup[], options: O, terminal: Terminal): O => {
  const values = { ...options } as Record<string, unknown>
  for (const definition of groups.flatMap(group => group.options)) {
    const [now, before] = parserOptions(definition)
    const given = before === undefined ? undefined : values[before.attributeName()]
    if (before === undefined || given === undefined) continue
    if (definition.formerly !== undefined) terminal.note(`${before.long} is now called ${now.long}`)
    delete values[before.attributeName()]
    values[now.attributeName()] = given
  }
  return values as O
}

/** The values of options that name files to be written. */
const filesToWrite = (groups: readonly OptionGroup[], values: object): string[] =>
  groups
    .flatMap(group => group.options)
    .flatMap(option => {
      const value = option.writes === true && (values as Record<string, unknown>)[parserOption(option).attributeName()]
      return typeof value === 'string' ? [value] : []
    })

const parserOption = ({ flags, text, parse, choices, default: value, defaultText, hidden }: CommandOption): Option => {
  const option = new Option(flags, text)
  if (choices !== undefined) option.choices(choices)
  if (parse !== undefined) option.argParser(parse as (text: string, before: unknown) => unknown)
  if (option.optional) aloneToo(option)
  if (value !== undefined) option.default(value, defaultText)
  return hidden === true ? option.hideHelp() : option
}

/** Says of a value that is refused, where there need be none, that it may have been meant for something else: `--se survey.csv`. */
const aloneToo = (option: Option): void => {
  const parse = option.parseArg
  if (parse === undefined) return
  option.argParser((text: string, before: never) => {
    try {
      return parse(text, before)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      const advice = `What follows ${option.long} is read as its value: put file names before it.`
      throw new InvalidArgumentError(`${error.message} ${advice}`)
    }
  })
}

/** Each example with what it does: beside it where the terminal is wide enough, else below it. */
const exampleLines = (examples: readonly Example[], io: Io): string[] => {
  const columns = columnsOf(io.stdout, io) ?? 80
  const widest = Math.max(...examples.map(([line]) => line.length))
  const beside = examples.every(([, text]) => widest + text.length + 4 <= columns)
  return examples.flatMap(([line, text]) =>
    beside ? [`  ${line.padEnd(widest)}  ${text}`] : [`  ${line}`, `      ${text}`],
  )
}

const once = (work: () => void): (() => void) => {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

const runCommand = async (
  definition: CommandDefinition,
  naming: Naming,
  given: readonly unknown[],
  { io, words, ends }: Running,
): Promise<void> => {
  const command = given.at(-1) as Command
  const options = given.at(-2) as OutputOptions
  const terminal = openTerminal(definition.name, options, naming, io)
  const line = progressLine(terminal, io)
  const interrupt = catchInterrupt(io)
  const closing: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closing.splice(0)) await close()
  }
  try {
    const run = definition.run as (call: Call, options: object, ...args: unknown[]) => Promise<void> | void
    const onEnd: Call['onEnd'] = close => void closing.push(close)
    let whole: TimeLimit | undefined
    let stops = false
    const stoppable: Call['stoppable'] = (limit = whole) => {
      stops = true
      interrupt.after(limit?.left())
      interrupt.graceful(note => {
        line.clear()
        terminal.note(note)
      })
    }
    const call: Call = {
      terminal,
      line,
      interrupt,
      stoppable,
      onEnd,
      writes: filesToWrite(definition.options, options),
      ends,
      words,
      limit: seconds => {
        if (seconds !== undefined) io.watch?.limit(seconds)
        return timeLimit(seconds, io.began, what => io.watch?.working(what))
      },
      found: once(() => io.watch?.found()),
      kept: path => io.watch?.kept(path),
      sofar: print => {
        if (io.watch === undefined) return
        const { io: kept, said } = gathered(io)
        print(openTerminal(definition.name, options, naming, kept))
        io.watch.answer({ ...said, code: 0 })
      },
      program: command.parent as Command,
    }
    const work = async () => run(call, renamed(definition.options, options, terminal), ...given.slice(0, -2))
    // The others know how to stop, and what to answer with then.
    const seconds = definition.options.includes(TIMED_OUTPUT)
      ? (options as { maxSeconds?: number }).maxSeconds
      : undefined
    whole = call.limit(seconds)
    await whole.whole('working', work(), () => stops)
  } catch (error) {
    // Stopped before there was anything to answer with.
    if (error instanceof Error && error.name === 'AbortError') {
      const code = interrupt.exitCode()
      if (code !== undefined) {
        line.clear()
        terminal.warn('stopped', 'stopped before there was a result')
        // What was made in a database is removed before.
        await closeAll()
        return io.leave(code)
      }
      throw new TimeUp('the time limit (--max-seconds) passed before there was a result: raise it')
    }
    // Errors of the library name its options; here they are flags.
    if (error instanceof Error) error.message = messageOf(error, naming)
    throw error
  } finally {
    line.clear()
    await closeAll()
    interrupt.release()
  }
}
