import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DataError, OptionError } from '@polyad/core'
import { EXAMPLES, type Example } from '../../examples/data-files.ts'
import { writeBytes } from '../../output/atomic-file.ts'
import { packageFile } from '../../package-file.ts'
import { nearest } from '../../table/values/nearest.ts'
import { defineCommand } from '../framework/define-command.ts'
import { OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly output?: string
}

export const example = defineCommand({
  name: 'example',
  summary: SUMMARIES.example,
  examples: [
    ['polyad example', 'list the examples'],
    ['polyad example survey', 'write survey.csv to this folder'],
    ['polyad example python -o scripts', 'write polyad.py to the folder scripts'],
  ],
  arguments: [{ name: '[name]', text: 'the name of an example' }],
  options: [
    {
      title: 'Options',
      options: [{ flags: '-o, --output <file>', text: 'file or folder to write to (default: this folder)' }],
    },
    OUTPUT,
  ],
  fields: [
    [
      'examples',
      'without a name: for each example name, file and text',
      '{ name: string, file: string, text: string }[]?',
    ],
    ['name, output', 'the example, and the file that was written', 'string?, string?'],
  ],
  run: async ({ terminal }, { output }: Options, name: string | undefined) => {
    if (name === undefined) {
      const wide = Math.max(...EXAMPLES.map(each => each.name.length))
      terminal.answer(
        () => [
          ...EXAMPLES.map(each => `  ${terminal.style('bold', each.name.padEnd(wide))}  ${each.text}`),
          '',
          'polyad example NAME writes the file to this folder.',
        ],
        () => ({ examples: EXAMPLES.map(({ name, file, text }) => ({ name, file: basename(file), text })) }),
      )
      return
    }
    const found = EXAMPLES.find(each => each.name === name || basename(each.file) === name)
    if (found === undefined) throw new OptionError(unknown(name))
    const path = placeOf(found, output)
    const bytes = contentOf(found)
    if (existsSync(path) && !readFileSync(path).equals(bytes))
      throw new DataError(`${path} exists and has other contents. Use -o to write the example elsewhere.`)
    await writeBytes(path, bytes)
    terminal.answer(
      () => [`Wrote ${path}: ${found.text}`, ...(found.next === undefined ? [] : ['', 'Next:', `  ${found.next}`])],
      () => ({ name: found.name, output: path }),
    )
  },
})

const unknown = (name: string): string => {
  const names = EXAMPLES.map(each => each.name)
  const near = nearest(name, names)
  return `there is no example "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}. The examples are ${names.join(', ')}`
}

const placeOf = ({ file }: Example, output: string | undefined): string => {
  if (output === undefined) return basename(file)
  return existsSync(output) && statSync(output).isDirectory() ? join(output, basename(file)) : output
}

const contentOf = ({ file }: Example): Buffer => {
  try {
    return readFileSync(packageFile(file))
  } catch (error) {
    throw new DataError(
      `${basename(file)} is not built in this copy of Polyad: run npm run build in its folder`,
      {},
      { cause: error },
    )
  }
}
