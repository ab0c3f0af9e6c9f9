import { WARNING_CODES } from '../table/values/warning-codes.ts'
import type { CommandDefinition } from './framework/define-command.ts'
import type { Field } from './options/definition.ts'
import { SOURCE_FIELD } from './options/output-options.ts'
import { PLAN_FIELDS } from './running/dry-run.ts'
import { type JsonSchema, typedKeys, typeOf } from './schema/type-notation.ts'
import { schemaName } from './terminal/answer-head.ts'

/** The JSON Schemas of what commands print with --json, made from the tables of their fields. */

/** How an object begins. */
const headFields = (command: string): readonly Field[] => [
  ['polyad', 'the version of the program', 'string'],
  ['schema', 'the JSON Schema of this object: a file of the package', `'${schemaName(command)}'`],
]

/** What is printed in place of the answer of any command if it fails. */
const ERROR_FIELDS: readonly Field[] = [
  [
    'error',
    'code; message; and the option or the place that is wrong, if there is one',
    "{ code: 'POLYAD_OPTION' | 'POLYAD_DATA' | 'POLYAD_ENGINE' | 'POLYAD_TIME' | 'POLYAD_BUG', message: string, option?: string, place?: { row?: integer, line?: integer, column?: string, cell?: integer } }",
  ],
]

/** A line of `--progress json`. */
const PROGRESS_FIELDS: readonly Field[] = [
  ['kind', 'what the line is', "'progress' | 'note' | 'warning' | 'error'"],
  ['message', 'what a person would read', 'string'],
  ['code', `of errors, and of warnings: ${Object.keys(WARNING_CODES).join(', ')}`, 'string?'],
  [
    'rank, phase, run',
    'of a fit: the number of classes, what the search does, and its run',
    'integer?, string?, integer?',
  ],
  ['pass, passes, maxPasses', 'passes of this run, of all runs, and the most there may be', 'integer?'],
  ['loss, best', 'of this run, and the lowest so far', 'number | null?'],
  ['done, replicates', 'of a bootstrap: how many replicates are done, of how many', 'integer?'],
]

/** A whole schema, as a file has it. */
export interface SchemaFile extends JsonSchema {
  readonly $schema: string
  readonly title: string
}

const schemaFile = (title: string, description: string, fields: readonly Field[]): SchemaFile => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title,
  description,
  ...schemaOf(fields),
})

const answerFile = (name: string, title: string, description: string, fields: readonly Field[]): SchemaFile =>
  schemaFile(title, description, [...headFields(name), ...fields])

/** The schemas by the names of their files, without the ending. */
export const schemas = (commands: readonly CommandDefinition[]): Readonly<Record<string, SchemaFile>> => ({
  ...Object.fromEntries(
    commands
      .filter(({ fields }) => fields.length > 0)
      .map(({ name, summary, fields }) => [name, answerFile(name, `polyad ${name} --json`, summary, fields)]),
  ),
  plan: answerFile('plan', 'polyad fit, rank, test or classify --dry-run --json', 'what would be done', [
    ...PLAN_FIELDS,
    SOURCE_FIELD,
  ]),
  error: answerFile('error', 'polyad --json, after an error', 'what went wrong', ERROR_FIELDS),
  progress: schemaFile('a line of polyad --progress json', 'what is said beside the answer', PROGRESS_FIELDS),
})

const schemaOf = (fields: readonly Field[]): JsonSchema => {
  const keys = fields.flatMap(field =>
    typedKeys(field).map(([name, type]) => ({ name, description: field[1], ...typeOf(type) })),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map(({ name, schema, description }) => [name, { description, ...schema }])),
    required: keys.filter(({ optional }) => !optional).map(({ name }) => name),
  }
}
