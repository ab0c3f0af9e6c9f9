import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Model, type Tensor, tensorFromRows } from '@polyad/core'
import { HtmlValidate } from 'html-validate'
import { parseHTML } from 'linkedom'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fit } from '../../packages/core/src/fit/fit.ts'
import { random } from '../../packages/core/src/numeric/philox.ts'
import { evaluate } from '../../packages/core/src/stats/fit-statistics/evaluate.ts'
import { fitFigures } from '../../packages/polyad/src/report/figures/fit-figures.ts'
import { makeReport } from '../../packages/polyad/src/report/page/make-report.ts'
import { reportPage } from '../../packages/polyad/src/report/page/page.ts'
import type { ReportOptions } from '../../packages/polyad/src/report/page/report-facts.ts'
import { browserInTests, CHROMIUM, hasBrowser } from '../studio-browser.ts'
import { carcinoma } from '../tables.ts'
import { testFolder } from '../test-folder.ts'

/** The page of a report: valid, accessible, the same on a phone, on a desk and on paper, and whatever the labels hold. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Labels that would break a page that took them for anything but text. */
const HOSTILE = [
  '</script><script>globalThis.broken = true</script>',
  '<img src=x onerror="globalThis.broken = true">',
  '"><svg onload=globalThis.broken=true>',
  "javascript:globalThis.broken='yes'",
  '</style></svg></title></details>',
  '\u202eright to left override',
  'שלום עולם',
  'مرحبا بالعالم',
  '👩‍👩‍👧‍👦 family 🏳️‍🌈',
  '漢字かな交じり文',
  'a\u0000b\u0007c\uFFFE\uD800d',
  'long '.repeat(100),
  'x'.repeat(500),
  '&amp; &lt;b&gt; %3Cb%3E',
  '=HYPERLINK("http://localhost/","x")',
  ' spaces \t and\nlines ',
]

const documentOf = () => parseHTML('<!doctype html><html></html>').document as unknown as Document

/** A fit with its record, as a model file has it. */
const fitted = async (tensor: Tensor, rank: number): Promise<{ model: Model; run: Record<string, unknown> }> => {
  const result = await fit(tensor, { rank, seed: 1, starts: 6, maxPasses: 400 })
  const figures = fitFigures(tensor, result, 0.1, await evaluate(tensor, result.model))
  const { trace, attempts } = result
  const ranks = {
    fits: [1, 2, 3].map(each => ({ rank: each, criteria: { ...figures.criteria, bic: figures.criteria.bic + each } })),
    recommended: rank,
    reason: `BIC is best with ${rank} classes`,
  }
  const run = {
    ...{ command: 'fit', line: 'polyad fit x.csv', programVersion: '0.1.0', options: { rank }, digest: 'a', ranks },
    result: { ...figures, trace, attempts },
  }
  return { model: result.model, run: JSON.parse(JSON.stringify(run)) }
}

const pageOf = async (data: Tensor, rank: number, options: ReportOptions = {}): Promise<string> => {
  const { model, run } = await fitted(data, rank)
  return reportPage(await makeReport(model, { run, data, digest: 'a', ...options }), { document: documentOf() })
}

const draw = (rows: number, modes: Readonly<Record<string, readonly string[]>>): Tensor => {
  const { below } = random(11, 'sample')
  const names = Object.keys(modes)
  const drawn = Array.from({ length: rows }, () => {
    const side = below(2)
    return Object.fromEntries(
      names.map(name => {
        const labels = modes[name]
        const half = Math.ceil(labels.length / 2)
        const j = below(4) === 0 ? below(labels.length) : side * (labels.length - half) + below(half)
        return [name, labels[j]]
      }),
    )
  })
  return tensorFromRows(drawn, { modes: names })
}

const days = Array.from({ length: 200 }, (_, d) => new Date(Date.UTC(2024, 0, 1 + d)).toISOString().slice(0, 10))

const pages: Readonly<Record<string, () => Promise<string>>> = {
  'a small survey': () => pageOf(carcinoma, 3),
  'hostile labels': () => pageOf(draw(600, { [HOSTILE[1]]: HOSTILE, plain: ['a', 'b'], [HOSTILE[6]]: HOSTILE.slice(0, 5) }), 2, { title: HOSTILE[0], names: [HOSTILE[2], HOSTILE[6]] }), // biome-ignore format: one call
  'an event log': () =>
    pageOf(draw(3000, { who: Array.from({ length: 300 }, (_, i) => `user ${i}`), what: Array.from({ length: 60 }, (_, i) => `action ${i}`), day: days }), 2, { ordered: ['day'] }), // biome-ignore format: one call
}

const made = new Map<string, Promise<string>>()
const page = (name: string): Promise<string> => {
  const known = made.get(name) ?? pages[name]()
  made.set(name, known)
  return known
}

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // Colours of the classes are custom properties, which only the element knows.
    'no-inline-style': 'off',
    // Charts are XML, and say so.
    'void-style': 'off',
    // A list without bullets is still a list to those who hear it, and so is a region that scrolls.
    'no-redundant-role': 'off',
    'prefer-native-element': 'off',
    'long-title': 'off',
  },
})

describe.each(Object.keys(pages))('%s', name => {
  it('is valid HTML', async () => {
    const { results } = await validator.validateString(await page(name))
    const messages = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
    )
    expect(messages.slice(0, 10)).toEqual([])
  })

  it('needs nothing from elsewhere, and holds no script', async () => {
    const text = await page(name)
    const { document } = parseHTML(text)
    expect([
      ...document.querySelectorAll('script, iframe, object, embed, link, img, image, use, foreignObject'),
    ]).toEqual([])
    for (const element of document.querySelectorAll('*'))
      for (const { name: attribute, value } of element.attributes) {
        expect(attribute).not.toMatch(/^on/)
        if (attribute === 'href') expect(value).toMatch(/^(#|data:text\/csv;charset=utf-8,)/)
        if (/^(src|action|formaction|xlink:href)$/.test(attribute)) expect.fail(`${attribute}=${value}`)
        expect(value.replace(/^data:text\/csv.*/s, '')).not.toMatch(/url\((?!['"]?#)/)
      }
    expect(text.length).toBeLessThan(1e6)
  })
})

it.each([
  ['a small survey', 'How large the classes are, Each variable, Overview of the variables, How many classes, What the classes leave unexplained, How certain the classes are, Posterior probabilities, Combinations that deviate most, The loss along the search'], // biome-ignore format: one list
  ['an event log', 'How large the classes are, Each variable, Categories that mark the classes, day, in order, who × day, How many classes, What the classes leave unexplained, How certain the classes are, Posterior probabilities, Combinations that deviate most, The loss along the search, Local optima'], // biome-ignore format: one list
])('%s: every chart has its table, in the page and as CSV', async (name, titles) => {
  const { document } = parseHTML(await page(name))
  const figures = [...document.querySelectorAll('figure')]
  expect(figures.map(figure => figure.querySelector('h3')?.textContent).join(', ')).toBe(titles)
  for (const figure of figures) {
    expect(figure.querySelectorAll('details table tbody tr').length).toBeGreaterThan(0)
    expect(figure.querySelector('details a[download$=".csv"]')?.getAttribute('href')).toContain('data:text/csv')
    for (const svg of figure.querySelectorAll('svg:not([aria-hidden])')) expect(svg.getAttribute('role')).toBe('img')
  }
})

it('labels are shown as they are, in tables and as CSV', async () => {
  const { document } = parseHTML(await page('hostile labels'))
  const cells = [...document.querySelectorAll('td')].map(cell => cell.textContent)
  for (const label of HOSTILE.slice(0, 5)) expect(cells).toContain(label)
  expect(cells.some(cell => cell?.includes('x'.repeat(500)))).toBe(true)
  // What cannot be seen is shown; what needs its joiners keeps them.
  expect(cells).toContain('\\u202eright to left override')
  expect(cells).toContain(HOSTILE[8])
  expect(await page('hostile labels')).not.toMatch(/[\u202a-\u202e]/)
  expect(document.querySelector('h1')?.textContent).toContain('</script>')
  const tables = [...document.querySelectorAll('a[download]')].map(link =>
    decodeURIComponent(String(link.getAttribute('href')).replace(/^[^,]*,/, '')),
  )
  expect(tables.some(table => table.includes('"</script><script>globalThis.broken = true</script>"') || table.includes(HOSTILE[0]))).toBe(true) // biome-ignore format: one line
  expect(tables.some(table => table.includes('=HYPERLINK(""http://localhost/"",""x"")'))).toBe(true)
})

describe.skipIf(!hasBrowser)(`in headless Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  const folder = testFolder()
  const browser = browserInTests()

  const opened = async (name: string): Promise<Page> => {
    const tab = await browser().newPage()
    await tab.goto(`file://${folder.file('report.html', await page(name))}`)
    return tab
  }

  interface Finding {
    readonly id: string
    readonly impact: string
    readonly help: string
    readonly nodes: readonly { readonly html: string }[]
  }

  it.each(Object.keys(pages))('%s: axe has no serious finding, light or dark', async name => {
    const tab = await opened(name)
    await tab.evaluate(AXE)
    // What is folded away is judged as well, where it is not much.
    if (name !== 'an event log')
      await tab.evaluate('document.querySelectorAll("details").forEach(each => { each.open = true })')
    // In the dark nothing differs but the colours.
    for (const [colorScheme, rules] of [
      ['light', ''],
      ['dark', '{ runOnly: ["color-contrast"] }'],
    ] as const) {
      // biome-ignore format: one list
      await tab.emulateMedia({ colorScheme })
      const { violations } = (await tab.evaluate(`axe.run(${rules})`)) as { violations: Finding[] }
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      expect(serious.map(({ id, help, nodes }) => [id, help, nodes.length, nodes[0].html.slice(0, 300)])).toEqual([])
    }
    await tab.close()
  })

  it.each(Object.keys(pages))('%s: fits every window, from a phone to a desk, and nothing runs', async name => {
    const tab = await opened(name)
    const requests: string[] = []
    tab.on('request', request => requests.push(request.url()))
    await tab.reload()
    expect(await tab.evaluate('globalThis.broken')).toBeUndefined()
    expect(requests).toHaveLength(1)
    for (const width of [390, 700, 1280, 1600]) {
      await tab.setViewportSize({ width, height: 900 })
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      // Of every chart one drawing is shown, and it is not shrunk.
      const charts = (await tab.evaluate(`[...document.querySelectorAll('.part')].map(part =>
        [...part.querySelectorAll(':scope > svg')].filter(svg => getComputedStyle(svg).display !== 'none')
          .map(svg => svg.getBoundingClientRect().width / Number(svg.getAttribute('width'))))`)) as number[][]
      expect(charts.length).toBeGreaterThan(0)
      for (const shown of charts) expect(shown).toEqual([1])
      const panels = `[...document.querySelectorAll('.panels svg')].map(svg => svg.getBoundingClientRect().width)`
      expect(((await tab.evaluate(panels)) as number[]).filter(each => each !== 320)).toEqual([])
    }
    await tab.close()
  })

  /** What the policy of a page refused, as the browser tells it. */
  const refused = async (content: string): Promise<{ tab: Page; directives: string[] }> => {
    const tab = await browser().newPage()
    await tab.addInitScript(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      document.addEventListener('securitypolicyviolation', event => seen.push(event.effectiveDirective))
    })
    await tab.goto(`file://${folder.file('policed.html', content)}`)
    return { tab, directives: (await tab.evaluate('globalThis.seen')) as string[] }
  }

  it.each(Object.keys(pages))('%s: nothing of its own is refused by its policy', async name => {
    const { tab, directives } = await refused(await page(name))
    expect(directives).toEqual([])
    // The style sheet is in force.
    expect(await tab.evaluate('getComputedStyle(document.querySelector(".page")).maxWidth')).toBe('1128px')
    await tab.close()
  })

  it('a script or a style sheet that gets into it does nothing', async () => {
    const { tab, directives } = await refused(
      (await page('a small survey')).replace(
        '</main>',
        `<script>globalThis.broken = 1</script><script src="data:text/javascript,globalThis.broken=2"></script>
<img src=x onerror="globalThis.broken = 3"><img src="data:," onerror="globalThis.broken = 4"><style>.page { max-width: 1px }</style>
<iframe srcdoc="<script>parent.broken = 5</script>"></iframe><base href="https://attacker.example/"></main>`,
      ),
    )
    expect(await tab.evaluate('globalThis.broken')).toBeUndefined()
    expect(await tab.evaluate('getComputedStyle(document.querySelector(".page")).maxWidth')).toBe('1128px')
    expect(await tab.evaluate('document.baseURI')).toContain('file://')
    expect(directives).toEqual(expect.arrayContaining(['script-src-elem', 'style-src-elem', 'img-src', 'base-uri']))
    await tab.close()
  })

  it.each(Object.keys(pages))('%s: is printed', async name => {
    const tab = await opened(name)
    await tab.emulateMedia({ colorScheme: 'dark' })
    const pdf = await tab.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const sheets = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    expect(sheets).toBeGreaterThan(1)
    expect(sheets).toBeLessThan(40)
    await tab.close()
  })
})
