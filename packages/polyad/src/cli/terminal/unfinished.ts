/** Says of a command that it waits for what will never come: nothing is left that could go on. */
export const UNFINISHED = 'the command stopped in the middle, because something that it waited for never came'

/** The same as an error: it has no place in the code. */
export const unfinished = (): Error => Object.assign(new Error(UNFINISHED), { stack: undefined })

/** The code that Node exits with if the main module still waits when nothing is left to do. */
const NODE_UNFINISHED = 13

/** Has the process end with words if its main module waits for ever. */
export const reportUnfinished = (): void => {
  process.once('exit', () => {
    if (process.exitCode !== NODE_UNFINISHED) return
    process.stderr.write(`error: an unexpected error; please report it:\n${UNFINISHED}\n`)
    process.exitCode = 1
  })
}
