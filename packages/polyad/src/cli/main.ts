import { version } from '../package-file.ts'

/** Runs the command line. A question for the version or the list of commands does not wait for the rest to load. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const [first] = argv.slice(2)
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${version}\n`)
    return
  }
  process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
    // A reader that has had enough (`| head`) is not an error.
    if (error.code === 'EPIPE') process.exit(0)
    // A terminal that was closed: nobody reads the answer any more, but what was asked for is still saved.
    if (error.code === 'EIO') return
    const { writingFault } = await import('../output/atomic-file.ts')
    process.stderr.write(`polyad: standard output cannot be written: ${writingFault(error)}\n`)
    process.exit(1)
  })
  const { asksForList, printList } = await import('./command-list.ts')
  if (asksForList(argv.slice(2))) {
    printList()
    return
  }
  const [{ redacted }, { runProgram }] = await Promise.all([import('../engine/sql/address.ts'), import('./program.ts')])
  // A password in an address is not for everyone who lists the processes.
  const line = argv.join(' ')
  if (redacted(line) !== line) process.title = redacted(line)
  // Remarks that nobody reads are not an error either: the work goes on, and the model is saved.
  process.stderr.on('error', () => {})
  process.exitCode = await runProgram(argv.slice(2))
}
