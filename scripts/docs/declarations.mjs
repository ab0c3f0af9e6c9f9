// @ts-check
// What an entry of a package exports, with its doc comments: read from the declaration files that the compiler writes.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * @typedef {object} Declaration
 * @property {string} name @property {'function' | 'class' | 'constant' | 'type'} kind @property {string} code its declaration
 * @property {string} summary @property {string} example @property {{ name: string, text: string }[]} params
 */

/** Where a declaration ends: at the `;` or `}` outside of all brackets, comments and strings. @param {string} text @param {number} from */
const endOf = (text, from) => {
  const braced = /^export (?:declare )?(?:abstract )?(?:interface|class|enum)\b/.test(text.slice(from))
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|=>|[(){}[\]<>;]/g
  token.lastIndex = from
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [part] = found
    if (['(', '{', '[', '<'].includes(part)) depth++
    if ([')', '}', ']', '>'].includes(part)) depth--
    if (depth === 0 && (part === ';' || (braced && part === '}'))) return found.index + 1
  }
  return text.length
}

/** @param {string} comment with its stars */
const docOf = comment => {
  const lines = comment.replace(/^\/\*\*|\*\/$/g, '').split('\n').map(line => line.replace(/^\s*\* ?/, '').trimEnd()) // biome-ignore format: one chain
  const [before, example = ''] = lines.join('\n').split(/^@example\n?/m)
  const params = [...before.matchAll(/@param (?:\{[^}]*\} )?(\w+)\s+([\s\S]*?)(?=@\w|$)/g)]
  return {
    summary: before.split(/@(?:param|returns)/)[0].trim(),
    example: example.trim(),
    params: params.map(([, name, text]) => ({ name, text: text.trim() })),
  }
}

/** The declaration of a name in the text of a file, or undefined. @param {string} text @param {string} name @returns {Declaration | undefined} */
const declarationIn = (text, name) => {
  const start = new RegExp(
    `^export (?:declare )?(?:abstract )?(const|function|class|interface|type|enum) ${name}\\b`,
    'm',
  )
  const found = start.exec(text)
  if (found === null) return undefined
  const before = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, found.index))
  const code = text
    .slice(found.index, endOf(text, found.index))
    .replace(/^export (?:declare )?/, '')
    .replace(/^\s*(#private|private .*);\n/gm, '')
    .replace(/^ {4}/gm, '  ')
    .replace(/^((?: {2})+) {2}(?= )/gm, '$1')
  const arrow = /^const \w+: (?:<[\s\S]*?>)?\(/.test(code)
  const kind =
    found[1] === 'function' || arrow
      ? 'function'
      : found[1] === 'class'
        ? 'class'
        : found[1] === 'const'
          ? 'constant'
          : 'type'
  return { name, kind, code, ...docOf(before?.[0].trim() ?? '') }
}

/** @type {Map<string, Declaration[]>} */
const read = new Map()

/** All that a declaration file exports, by way of others too. @param {string} file a .d.ts @returns {Declaration[]} */
export const declarationsOf = file => {
  const made = read.get(file) ?? readDeclarations(file)
  read.set(file, made)
  return made
}

/** @param {string} file @returns {Declaration[]} */
const readDeclarations = file => {
  const text = readFileSync(file, 'utf8')
  const own = [
    ...text.matchAll(/^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/gm),
  ]
  const lists = [...text.matchAll(/^export (?:type )?(?:\{([^}]+)\}|\*) from '([^']+)'/gm)]
  const others = lists.flatMap(([, names, path]) => {
    const all = declarationsOf(posix.join(posix.dirname(file), path).replace(/\.ts$/, '.d.ts'))
    if (names === undefined) return all
    const listed = names.split(',').map(name => name.trim().replace(/^type /, '').replace(/^.* as /, '')) // biome-ignore format: one chain
    return all.filter(({ name }) => listed.includes(name))
  })
  return [...own.flatMap(([, name]) => declarationIn(text, name) ?? []), ...others].filter(
    ({ name }, at, all) => all.findIndex(each => each.name === name) === at,
  )
}
