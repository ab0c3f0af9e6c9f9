import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The code blocks of the documents, and what is to be done with each:
 *
 * - `sh`: commands of Polyad are run in a folder with the example data; files may be written by `cat > name <<'END'` and `echo '…' > name`,
 *   and copied by `cp`.
 *   A line `# text` below a command is what it says.
 * - `ts`: type-checked and run. Names of the library need not be imported; `<!-- with: code -->` before a block is run before it.
 * - `csv name`, `json name` and the like: a file of this name, for the commands and programs of the page.
 * - `output`: lines that the commands of the page so far have printed.
 * - `<!-- not run: why -->` before a block: it is only read. The reasons are those of NOT_RUN.
 */

export const root = fileURLToPath(new URL('../', import.meta.url))

/** Why a block is not run. Grep for "not run:" to see them all. */
export const NOT_RUN = [
  'a sketch',
  'needs a cluster',
  'needs a graphics device',
  'needs a browser',
  'needs a page',
  'installs packages',
  'needs another program',
  'runs the tests of this repository',
  'is killed on the way',
  'part of a larger program',
  'takes minutes',
] as const

export interface Block {
  readonly page: string
  /** Of its first line of code. */
  readonly line: number
  readonly language: string
  /** What stands after the language: the name of a file. */
  readonly name: string
  readonly code: string
  readonly notRun: string | undefined
  readonly before: string
}

const FENCE = /^( *)```([\w-]*)[ ]*(.*)$/

export const blocksOf = (page: string): Block[] => {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  const blocks: Block[] = []
  let comments = ''
  for (let at = 0; at < lines.length; at++) {
    const [opening, indent, language, name] = FENCE.exec(lines[at]) ?? []
    if (opening === undefined) {
      // Comments just before a block are about it; a comment may have several lines.
      if (lines[at].trimStart().startsWith('<!--')) {
        const end = lines.findIndex((line, i) => i >= at && line.includes('-->'))
        comments += `${lines.slice(at, end + 1).join('\n')}\n`
        at = end
      } else if (lines[at].trim() !== '') comments = ''
      continue
    }
    const end = lines.findIndex((line, i) => i > at && line.trim() === '```')
    const code = lines.slice(at + 1, end).map(line => line.slice(indent.length))
    blocks.push({
      page,
      line: at + 2,
      language,
      name,
      code: code.join('\n'),
      notRun: /<!-- not run: (.*?) -->/.exec(comments)?.[1],
      before: [...comments.matchAll(/<!-- with: ([\s\S]*?) -->/g)].map(([, text]) => text).join('\n'),
    })
    comments = ''
    at = end
  }
  return blocks
}

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map(name => `docs/${name.replaceAll('\\', '/')}`)
  .filter(path => path.endsWith('.md'))
  .sort()

/** Pages that are followed like a reader does, with a shell and other programs: test/slow/guides.test.ts. */
export const guides = inDocs.filter(path => /^docs\/(guides|coming-from)\//.test(path))

/** README, and all other pages of docs but the reference of the commands, whose examples are tested with the commands. */
export const pages = [
  'README.md',
  ...inDocs.filter(path => !/^docs\/reference\/(cli\.md|commands\/)/.test(path) && !guides.includes(path)),
].filter(path => existsSync(join(root, path)))

export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'run'
      readonly line: string
      readonly words: string[]
      readonly into?: string
      readonly says: string[]
    }
  | { readonly kind: 'other'; readonly line: string }

/** The words of a command line, as a shell divides them; a comment ends it. */
const shellWords = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  for (const [, single, double, blank, plain] of line.matchAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|((?:\\.|[^\s'"\\])+)/g,
  )) {
    if (blank !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (word === undefined && plain?.startsWith('#')) return words
    else word = (word ?? '') + (single ?? double ?? plain?.replace(/\\(.)/g, '$1'))
  }
  return word === undefined ? words : [...words, word]
}

/** The steps of a block of shell commands. */
export const stepsOf = (code: string): Step[] => {
  const steps: Step[] = []
  const lines = code.replace(/\\\n\s*/g, ' ').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].replace(/^\$ /, '').trim()
    if (line === '') continue
    const last = steps.at(-1)
    if (line.startsWith('#')) {
      if (last?.kind === 'run') last.says.push(line.slice(1).trim())
      continue
    }
    const [, file, mark] = /^cat > (\S+) <<'?(\w+)'?$/.exec(line) ?? []
    if (file !== undefined) {
      const end = lines.indexOf(mark, at)
      steps.push({ kind: 'write', file, text: `${lines.slice(at + 1, end).join('\n')}\n` })
      at = end
      continue
    }
    const words = shellWords(line)
    const from = words[0] === 'npx' ? 1 : 0
    const into = words.indexOf('>')
    if (words[0] === 'echo' && into === 2) steps.push({ kind: 'write', file: words[3], text: `${words[1]}\n` })
    else if (words[0] === 'cp') steps.push({ kind: 'copy', from: words[1], to: words[2] })
    else if (words[from] !== 'polyad' || words.includes('|') || words.includes('&&'))
      steps.push({ kind: 'other', line })
    else {
      const own = words.slice(from + 1, into < 0 ? undefined : into)
      steps.push({ kind: 'run', line, words: own, says: [], ...(into < 0 ? {} : { into: words[into + 1] }) })
    }
  }
  return steps
}
