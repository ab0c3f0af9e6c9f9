// @ts-check
// Code in colours, when the site is built.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import r from 'highlight.js/lib/languages/r'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'

/** Without the names of built-in commands, which are also parts of options: `--test`, `install:command`. @type {import('highlight.js').LanguageFn} */
const shell = hljs => {
  const language = bash(hljs)
  return { ...language, keywords: { .../** @type {object} */ (language.keywords), built_in: [] } }
}
const LANGUAGES = { bash: shell, javascript, json, python, r, sql, typescript, xml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** @type {Readonly<Record<string, string>>} */
const NAMES = {
  sh: 'bash',
  shell: 'bash',
  console: 'bash',
  ts: 'typescript',
  js: 'javascript',
  mjs: 'javascript',
  tsx: 'typescript',
  html: 'xml',
  py: 'python',
  R: 'r',
}

/** @param {string} text */
export const escapeHtml = text =>
  text.replace(
    /[&<>"]/g,
    each => /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each],
  )

/** Code as HTML, coloured if its language is known. @param {string} code @param {string} name of the language */
export const highlighted = (code, name) => {
  const language = NAMES[name] ?? name
  return hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value
}

/**
 * Names in coloured code as links, outside of comments and strings.
 * @param {string} html @param {(name: string) => string | undefined} links @param {string} but a name that is not linked
 */
export const linkedNames = (html, links, but) => {
  let quiet = 0
  return html
    .split(/(<[^>]*>)/)
    .map(part => {
      if (part.startsWith('</')) {
        if (quiet > 0) quiet--
        return part
      }
      if (part.startsWith('<')) {
        if (quiet > 0 || /hljs-(comment|string)/.test(part)) quiet++
        return part
      }
      if (quiet > 0) return part
      return part.replace(/\b[A-Za-z_]\w*\b/g, name => {
        const link = links(name)
        return link === undefined || name === but ? name : `<a href="${link}">${name}</a>`
      })
    })
    .join('')
}
