import { DARK, FONT, LIGHT, themeCss } from '@polyad/charts'

/**
 * The widths at which charts are drawn, in pixels, so that they need not be shrunk: on a phone; beside another; on paper and in half
 * a window; on a desk.
 */
export const WIDTHS = { panel: 320, beside: [340, 520], usual: [340, 704], wide: [340, 704, 1080] } as const

/** A page of its own: no fonts, no pictures and no scripts from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark; ${themeCss(LIGHT)}; --panel: #f5f6f8; --link: #005a9c; --warn: #8a4b00; --good: #1b6e3a }
@media (prefers-color-scheme: dark) { :root { ${themeCss(DARK)}; --panel: #1f2429; --link: #7cc0ff; --warn: #ffb45c; --good: #6fcf8e } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; font: 16px/1.55 ${FONT}; color: var(--ink); background: var(--background); overflow-wrap: anywhere }
.page { max-width: 1128px; margin: 0 auto; padding: 1.5rem clamp(1rem, 2vw, 1.5rem) 4rem }
header, .words, .prose { max-width: 46rem }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0 }
h2 { font-size: 1.3rem; margin: 3rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--grid) }
h3 { font-size: 1.05rem; margin: 2rem 0 0.25rem }
p { margin: 0.5rem 0 }
.lead { font-size: 1.1rem }
.aside, figcaption, header p { color: var(--muted) }
a { color: var(--link) }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; padding: 0; margin: 1rem 0 0 }
.judgements { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 0.75rem 1rem; margin: 1rem 0 }
.judgements div { border-left: 4px solid var(--warn); padding: 0 0.75rem; break-inside: avoid }
.judgements .good { border-left-color: var(--good) }
.judgements .fair { border-left-style: dashed }
.judgements dt { color: var(--muted); font-size: 0.9rem }
.judgements dd { margin: 0 }
.classes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem; padding: 0; margin: 1rem 0; list-style: none }
.classes li { background: var(--panel); border-left: 6px solid var(--colour); border-radius: 4px; padding: 0.75rem 1rem; break-inside: avoid }
.classes h3 { margin: 0 }
.careful { border-left: 6px solid var(--warn); background: var(--panel); border-radius: 4px; padding: 0.75rem 1rem 0.75rem 2rem }
.careful li { margin: 0.25rem 0 }
figure { margin: 1rem 0 2.25rem; max-width: 100% }
.part { container-type: inline-size; margin-bottom: 1rem }
figcaption h3 { margin: 0; color: var(--ink) }
figcaption p { margin: 0 }
figcaption { max-width: 46rem; margin-bottom: 0.5rem }
figure svg { display: block; max-width: 100%; height: auto; overflow: visible }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 320px)); gap: 1rem 24px; align-items: start }
.panel-room { container-type: inline-size }
.axed { padding-left: 38px }
@container (min-width: 702px) { .axed > :nth-child(2n) .value-axis { display: none } }
@container (min-width: 1046px) { .axed > :nth-child(2n) .value-axis { display: inline } .axed > :not(:nth-child(3n+1)) .value-axis { display: none } }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; list-style: none; padding: 0; margin: 0 0 0.75rem; font-size: 0.85rem }
.legend .mark { display: inline-block; vertical-align: -2px; margin-right: 0.4em }
.w520, .w704, .w1080 { display: none }
@container (min-width: 520px) { .w520 { display: block } .w340:has(~ .w520) { display: none } }
@container (min-width: 704px) { .w704 { display: block } .w340:has(~ .w704) { display: none } }
@container (min-width: 1080px) { .w1080 { display: block } .w704:has(~ .w1080) { display: none } }
details { margin: 0.5rem 0 }
summary { cursor: pointer; color: var(--link) }
.scroll { overflow: auto; max-width: 100% }
details .scroll { max-height: 28rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem }
caption { text-align: left; color: var(--muted); padding-bottom: 0.3rem }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid var(--grid); font-weight: 400; max-width: 24rem }
thead th { font-weight: 600 }
.n { text-align: right; white-space: nowrap }
.scroll + .scroll { margin-top: 1rem }
table.paper { border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink) }
.paper th, .paper td { border: 0; text-align: right; white-space: nowrap; padding: 0.15rem 0.6rem }
.paper th:first-child, .paper td:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 8rem; overflow-wrap: break-word }
.paper thead th[colspan] { text-align: center; white-space: normal; border-bottom: 1px solid var(--muted) }
.paper thead tr:last-child > * { border-bottom: 1px solid var(--ink) }
.paper tbody .in > th:first-child { padding-left: 1.2rem }
.note { max-width: 46rem; font-size: 0.85rem }
.side { columns: 24rem; column-gap: 2.5rem; margin-top: 2.5rem }
.side figure { break-inside: avoid; margin-top: 0 }
code, pre { font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; background: var(--panel); border-radius: 3px; padding: 0.1em 0.3em }
pre { padding: 0.75rem 1rem }
pre code { padding: 0 }
blockquote { margin: 1rem 0; padding: 0.75rem 1rem; background: var(--panel); border-radius: 4px }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@page { margin: 14mm 11mm }
@media print {
  :root { color-scheme: light; ${themeCss(LIGHT)}; --panel: #f5f6f8; --link: #1a1a1a; --warn: #8a4b00; --good: #1b6e3a }
  body { font-size: 10.5pt }
  .page { max-width: none; padding: 0 }
  nav, details { display: none }
  h2, h3, figcaption { break-after: avoid }
  tr, li, blockquote, pre, figcaption, .part, .panels svg { break-inside: avoid }
  .side { columns: auto }
  .part, .panel-room { container-type: normal }
  .part .w340, .part .w1080 { display: none }
  .part .w520, .part .w704 { display: block }
  figure svg { max-height: 235mm; width: auto }
  .scroll { overflow: visible }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
