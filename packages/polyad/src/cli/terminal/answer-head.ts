import { version } from '../../package-file.ts'

/** The schema of a command's object: a file of the package, by the path that programs import. */
export const schemaName = (command: string): string => `polyad/schema/${command}.json`

/** How every object of `--json` begins: which version made it, and what describes it. */
export const answerHead = (command: string) => ({ polyad: version, schema: schemaName(command) })
