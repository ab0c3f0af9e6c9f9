import { version } from '../package-file.ts'
import { asksForList, isQuick } from './short-calls.ts'

/** Runs the command line. A question for the version or the list of commands does not wait for the rest to load. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const [first] = argv.slice(2)
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${version}\n`)
    return
  }
  const { reportUnfinished } = await import('./terminal/unfinished.ts')
  reportUnfinished()
  let leave = async (code: number): Promise<unknown> => process.exit(code)
  process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
    // A reader that stops reading (`| head`) is not an error.
    if (error.code === 'EPIPE') return leave(0)
    // A terminal that was closed: nobody reads the answer any more, but what was asked for is still saved.
    if (error.code === 'EIO') return
    const { writingFault } = await import('../output/atomic-file.ts')
    process.stderr.write(`error: standard output cannot be written: ${writingFault(error)}\n`)
    return leave(1)
  })
  if (asksForList(argv.slice(2))) {
    const { printList } = await import('./command-list.ts')
    printList()
    return
  }
  // A password in an address is not for everyone who lists the processes.
  const line = argv.join(' ')
  if (line.includes('://')) {
    const { redacted } = await import('../engine/sql/address.ts')
    if (redacted(line) !== line) process.title = redacted(line)
  }
  // Remarks that nobody reads are not an error either: the work goes on, and the model is saved.
  process.stderr.on('error', () => {})
  const words = argv.slice(2)
  if (isQuick(words)) {
    const { runProgram } = await import('./program.ts')
    process.exitCode = await runProgram(words)
    return
  }
  const { supervise } = await import('./supervise.ts')
  const command = supervise(words)
  leave = command.leave
  process.exitCode = await command.ended
}
