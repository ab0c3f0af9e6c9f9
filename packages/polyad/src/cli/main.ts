import { version } from '../package-file.ts'

/** Runs the command line. A question for the version alone does not wait for the rest to load. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const [first] = argv.slice(2)
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${version}\n`)
    return
  }
  const [{ redacted }, { writingFault }, { runProgram }] = await Promise.all([
    import('../engine/sql/address.ts'),
    import('../output/atomic-file.ts'),
    import('./program.ts'),
  ])
  // A password in an address is not for everyone who lists the processes.
  const line = argv.join(' ')
  if (redacted(line) !== line) process.title = redacted(line)
  // A reader that has had enough (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`polyad: standard output cannot be written: ${writingFault(error)}\n`)
    process.exit(1)
  })
  // Nor are remarks that nobody reads: the work goes on, and the model is saved.
  process.stderr.on('error', () => {})
  process.exitCode = await runProgram(argv.slice(2))
}
