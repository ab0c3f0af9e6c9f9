import { InvalidArgumentError } from 'commander'
import { defineCommand } from '../framework/define-command.ts'
import { MEMORY } from '../options/data-options.ts'
import { given } from '../options/option-values.ts'
import { OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { reportFailure } from '../terminal/failure.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly port?: number
  readonly open: boolean
  readonly uploadLimit?: number
  readonly pageLimit?: number
  readonly projects?: string
  readonly keepNothing?: boolean
  readonly memory?: string
  readonly page?: string
}

const portNumber = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new InvalidArgumentError('It must be a port from 1 to 65535, or 0 for any free one.')
}

const UNITS = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 }

const bytes = (text: string): number => {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?((?:[KMGT]i?B)?)$/i.exec(text) ?? []
  const size = Math.floor(Number(number) * UNITS[(unit ?? '').toUpperCase() as keyof typeof UNITS])
  if (size > 0 && Number.isSafeInteger(size)) return size
  throw new InvalidArgumentError('It must be a size such as 4GB.')
}

export const studio = defineCommand({
  name: 'studio',
  summary: SUMMARIES.studio,
  examples: [
    ['polyad studio', 'open the page; drop a file on it'],
    ['polyad studio survey.csv', 'open a file of any size: Polyad reads it, not the browser'],
    ['polyad studio survey.csv --no-open --port 8000', 'print the link only; use this port and no other'],
  ],
  arguments: [{ name: '[data...]', text: 'files that the page may read' }],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '--port <n>',
          text: 'port to listen on (default: 4321, or the next free one)',
          parse: portNumber,
        },
        { flags: '--no-open', text: 'do not open a browser' },
        {
          flags: '--upload-limit <size>',
          text: 'largest file that the page may upload (default: 4GB)',
          parse: bytes,
        },
        {
          flags: '--page-limit <size>',
          text: 'files larger than this are read by Polyad, not by the browser (default: 100MB)',
          parse: bytes,
        },
        {
          flags: '--projects <folder>',
          text: 'folder for projects (default: the Polyad folder in your user data)',
        },
        { flags: '--keep-nothing', text: 'do not store projects: only what you save as a file remains' },
        MEMORY,
        { flags: '--page <folder>', text: 'the folder of another page', hidden: true },
      ],
    },
    OUTPUT,
  ],
  fields: [
    ['url', 'the link that opens the page; the token in it is needed for every request', 'string'],
    ['plainUrl', 'the same at 127.0.0.1, for browsers that do not resolve names under localhost (Safari)', 'string'],
    ['port', 'the port that it listens on', 'integer'],
    ['projects', 'the folder of its projects; null with --keep-nothing', 'string | null'],
  ],
  run: async ({ terminal }, options: Options, files: string[]) => {
    // The server is heavy, and no other command needs it.
    const { startStudio } = await import('../../studio/server.ts')
    const studio = await startStudio({
      files,
      onFault: reportFailure,
      ...given(options, ['open', 'port', 'uploadLimit', 'pageLimit', 'projects', 'keepNothing', 'memory', 'page']),
    })
    const { url, plainUrl } = studio
    if (terminal.json)
      terminal.answer(
        () => [],
        () => ({ url, plainUrl, port: studio.port, projects: studio.projects }),
      )
    // As it is, not folded: a link in two lines is none.
    else terminal.print(`Polyad studio: ${url}\n`)
    if (!terminal.json)
      terminal.note(`In Safari, replace ${new URL(url).hostname} in the link with 127.0.0.1\nPress Ctrl-C to stop`)
    // Until a signal ends the process; what is open then is closed and removed on the way out.
    await new Promise(() => {})
  },
})
