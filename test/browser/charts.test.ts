import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { CHART_KINDS, CHARTS, DARK, svgText, themeCss } from '../../packages/charts/src/index.ts'
import { chartSamples } from '../chart-samples.ts'
import { type LocalServer, localServer } from '../local-servers.ts'
import { browserInTests, forTests, hasBrowser } from '../studio-browser.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Plot as a page without a bundler has it: its own bundle, and a module that gives its names. */
const PLOT = `const { ${Object.keys(Plot).join(', ')} } = globalThis.Plot
export { ${Object.keys(Plot).join(', ')} }`

const PAGE = `<!doctype html><title>charts</title>
<style>body { color: ${DARK.ink}; ${themeCss(DARK)} }</style>
<script type="importmap">${JSON.stringify({
  imports: {
    '@observablehq/plot': '/plot.js',
    '@polyad/core': '/packages/core/dist/index.js',
    ...Object.fromEntries(
      ['file', 'model', 'numeric', 'options', 'stats'].map(entry => [
        `@polyad/core/${entry}`,
        `/packages/core/dist/entries/${entry}.js`,
      ]),
    ),
    '@polyad/charts': '/packages/charts/dist/index.js',
  },
})}</script>
<script src="/node_modules/d3/dist/d3.min.js"></script>
<script src="/node_modules/@observablehq/plot/dist/plot.umd.min.js"></script>
<body></body>
<script type="module">globalThis.charts = await import('@polyad/charts')</script>`

const serve = (): Promise<LocalServer> =>
  localServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const answer = (type: string, body: string | Buffer) => response.writeHead(200, { 'Content-Type': type }).end(body)
    if (path === '/') answer('text/html; charset=utf-8', PAGE)
    else if (path === '/plot.js') answer('text/javascript', PLOT)
    else if (/^\/(packages|node_modules)\/[\w@./-]+\.js$/.test(path) && existsSync(root + path))
      answer('text/javascript', await readFile(root + path))
    else response.writeHead(404).end()
  })

describe.skipIf(!hasBrowser)('charts in a page', () => {
  const browser = browserInTests()
  const server = forTests(serve, started => started.close())
  const samples = chartSamples(text => `${text} <b>& ${'W'.repeat(40)}`)

  it.each([390, 640, 1280])(
    'are what they are on the server, in the colours of the page, %i pixels wide',
    async width => {
      // On screens with one pixel to the pixel Plot puts lines on halves of it.
      const page = await browser().newPage({ deviceScaleFactor: 2 })
      await page.goto(server().address)
      await page.waitForFunction('globalThis.charts')
      const given = { samples: samples as never, width }
      const drawn = await page.evaluate(({ samples, width }) => {
        const { charts } = globalThis as unknown as { charts: typeof import('../../packages/charts/src/index.ts') }
        return Object.entries(charts.CHARTS).map(([kind, { draw }]) => {
          const svg = (draw as (data: unknown, options: object) => SVGSVGElement)(samples[kind], { document, width })
          document.body.append(svg)
          const { x, y, width: across, height: down } = svg.getBBox()
          const shapes = [...svg.querySelectorAll('*')]
          const coloured = shapes.find(each => /--class-1|--accent/.test(each.getAttribute('fill') ?? ''))
          return {
            kind,
            text: charts.svgText(svg),
            // What is drawn beyond the edges cannot be seen.
            beyond: [-x, -y, x + across - width, y + down - Number(svg.getAttribute('height'))],
            colour: coloured === undefined ? '' : getComputedStyle(coloured).fill,
          }
        })
      }, given)
      const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document
      const rgb = (colour: string) =>
        `rgb(${[1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`
      expect(drawn.map(({ kind }) => kind)).toEqual(CHART_KINDS)
      for (const { kind, text, beyond, colour } of drawn) {
        const { draw } = CHARTS[kind as 'profiles']
        const own = svgText(draw(samples[kind as 'profiles'], { document, width }))
        expect(text === own, kind).toBe(true)
        expect(Math.max(...beyond), `${kind}: ${beyond}`).toBeLessThan(2)
        expect(['', rgb(DARK.classes[0]), rgb(DARK.accent)], kind).toContain(colour)
      }
    },
  )
})
