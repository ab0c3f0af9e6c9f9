// @ts-check
// Formulas in Markdown as code hosts write them: $inline$, and $$ on lines of their own. LaTeX becomes MathML, which needs no script.
import temml from 'temml'

/** @param {string} latex @param {boolean} displayMode */
const mathml = (latex, displayMode) =>
  temml.renderToString(latex, { displayMode, throwOnError: true, annotate: false, wrap: 'none' })

/** @param {import('markdown-it').MarkdownIt} md */
export const mathPlugin = md => {
  md.inline.ruler.after('escape', 'math', (state, silent) => {
    if (state.src[state.pos] !== '$') return false
    // An opening $ has no blank after it, a closing one none before it and no digit after it: prices are no formulas.
    const found = /^\$(?![\s$])((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)/.exec(state.src.slice(state.pos))
    if (found === null) return false
    if (!silent) state.push('math_inline', '', 0).content = found[1]
    state.pos += found[0].length
    return true
  })
  md.block.ruler.before(
    'fence',
    'math',
    (state, start, end, silent) => {
      const line = (/** @type {number} */ at) => state.src.slice(state.bMarks[at] + state.tShift[at], state.eMarks[at])
      if (line(start).trim() !== '$$') return false
      let close = start + 1
      while (close < end && line(close).trim() !== '$$') close++
      if (close === end) return false
      if (silent) return true
      const token = state.push('math_block', '', 0)
      token.content = Array.from({ length: close - start - 1 }, (_, i) => line(start + 1 + i)).join('\n')
      token.map = [start, close + 1]
      state.line = close + 1
      return true
    },
    { alt: ['paragraph', 'list'] },
  )
  md.renderer.rules.math_inline = (tokens, at) => mathml(tokens[at].content, false)
  md.renderer.rules.math_block = (tokens, at) =>
    `<div class="formula" tabindex="0" role="group" aria-label="formula">${mathml(tokens[at].content, true)}</div>\n`
}
