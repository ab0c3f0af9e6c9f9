/** Where text goes. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** What a command is connected to: the process it is the main job of, or another program that runs it within itself. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** When it began, by `performance.now()`: a time limit counts from here. */
  readonly began: number
  /** Where signals are heard; undefined if they are not for the command. */
  readonly signals: Pick<NodeJS.Process, 'on' | 'off'> | undefined
  /** Ends at once, whatever is under way. */
  readonly leave: (code: number) => void
  /** Receives the function that ends the command if it does not end itself. */
  readonly watch?: Watch
}

/** What a command says instead of its end if it is ended from outside. */
export interface LateEnd {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** The same streams, whose text is kept. */
export const gathered = (io: Io): { readonly io: Io; readonly said: { stdout: string; stderr: string } } => {
  const said = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof said): Output => ({
    ...io[name],
    write: (text: string) => {
      said[name] += text
    },
  })
  return { io: { ...io, stdout: stream('stdout'), stderr: stream('stderr') }, said }
}

/** What a command reports to the thread that supervises it. */
export interface Watch {
  /** The whole command may take so many seconds. */
  readonly limit: (seconds: number) => void
  /** What it works on, if it cannot stop meanwhile; undefined once that is over. */
  readonly working: (what: string | undefined) => void
  /** From here on it stops by itself when it is asked to. */
  readonly stoppable: () => void
  /** There is something to save, or to remove from a database: it is given time to end with that. */
  readonly found: () => void
  /** A file with a result is there, whatever happens after it. */
  readonly kept: (path: string) => void
  /** There is an answer, which is said if the command is ended before it has a better one. */
  readonly answer: (late: LateEnd) => void
}

export const PROCESS_IO: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  began: 0,
  signals: process,
  leave: code => process.exit(code),
}

/** Narrower than this nothing can be set in columns. */
const NARROWEST = 40

/** The width of a terminal; undefined if the output is not one and COLUMNS is not set. */
export const columnsOf = ({ columns: own = 0 }: Output, { env }: Pick<Io, 'env'>): number | undefined => {
  const asked = Number(env.COLUMNS)
  const columns = Number.isInteger(asked) && asked > 0 ? asked : own
  return columns > 0 ? Math.max(NARROWEST, columns) : undefined
}

export const hasColour = (output: Output, { env }: Pick<Io, 'env'>): boolean =>
  output.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
