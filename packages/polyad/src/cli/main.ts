import { createRequire } from 'node:module'
import { Command } from 'commander'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** The command line. Each command loads what it needs when it is called, so that the others stay quick. */
export const program = (): Command => {
  const polyad = new Command('polyad')
    .description('Finds the hidden structure in counts: latent classes and KL tensor decomposition.')
    .version(version)
    .showHelpAfterError()
  polyad
    .command('iris')
    .description("the paper's example: three species of iris, with their names and without")
    .option('-o, --out <folder>', 'where the figure and the page go', 'polyad-iris')
    .option('--starts <n>', 'how many random starts', '4000')
    .option('--seed <n>', 'the same seed gives the same bits', '1')
    .action(async options => (await import('./iris.ts')).iris(options))
  return polyad
}

export const main = async (argv: readonly string[]): Promise<void> => {
  try {
    await program().parseAsync([...argv])
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`polyad: ${error.message}\n`)
    process.exitCode = 1
  }
}
