import { Resvg } from '@resvg/resvg-js'
import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { chartSamples } from '../../../../test/chart-samples.ts'
import {
  CHART_KINDS,
  CHARTS,
  type ChartDataByKind,
  type ChartKind,
  type ChartTable,
  DARK,
  linesData,
  pairsData,
  profileTop,
  svgFile,
  svgText,
  timeData,
} from '../index.ts'

const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document

const draw = (kind: ChartKind, data: ChartDataByKind, width: number): SVGSVGElement =>
  (CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement)(data[kind], { document, width })

const tableOf = (kind: ChartKind, data: ChartDataByKind): ChartTable =>
  (CHARTS[kind].table as (data: unknown) => ChartTable)(data[kind])

/** Every element of a drawing. */
const elements = (svg: Element): Element[] => [svg, ...[...svg.children].flatMap(elements)]

/** In how many columns the panels of a chart stand. */
const columnsOf = (svg: Element): number => {
  const across = [...svg.querySelectorAll('.panel')].map(
    panel => /translate\(([^,]+),/.exec(panel.getAttribute('transform') ?? '')?.[1],
  )
  return new Set(across).size
}

/** The elements that charts are made of. */
const SHAPES = ['svg', 'title', 'desc', 'g', 'rect', 'text', 'tspan', 'path', 'line', 'circle']

const BROKEN = /NaN|undefined|Infinity/

/** A file that is not XML, or has no size, is refused. */
const checkFile = (file: string): void => {
  expect(file).not.toMatch(BROKEN)
  expect(() => new Resvg(file, { font: { loadSystemFonts: false } })).not.toThrow()
}

describe.each(CHART_KINDS)('%s', kind => {
  const plain = chartSamples()

  it('is drawn as it was', async () => {
    await expect(svgFile(draw(kind, plain, 640))).toMatchFileSnapshot(`snapshots/${kind}.svg`)
  })

  it('says what it shows to those who cannot see it', () => {
    const svg = draw(kind, plain, 640)
    expect(svg.getAttribute('role')).toBe('img')
    const [title, description] = [svg.children[0], svg.children[1]]
    expect([title.localName, description.localName]).toEqual(['title', 'desc'])
    expect(svg.getAttribute('aria-label')).toBe(`${title.textContent}. ${description.textContent}`)
    expect(title.textContent?.length).toBeGreaterThan(15)
    expect(description.textContent).toMatch(/\d/)
  })

  it('has the width it was given, and colours of the page, which files have literally', () => {
    for (const width of [390, 1280]) {
      const svg = draw(kind, plain, width)
      expect(svg.getAttribute('viewBox')).toBe(`0 0 ${width} ${svg.getAttribute('height')}`)
      expect(svgText(svg)).toContain('var(--')
      const file = svgFile(svg, DARK)
      expect(file).not.toMatch(/var\(|currentColor/)
      expect(file).toContain(DARK.background)
      checkFile(file)
    }
  })

  it('has the numbers behind it in a table', () => {
    const { columns, rows } = tableOf(kind, plain)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toHaveLength(columns.length)
  })

  it.each([
    ['markup', '<b onclick="alert(1)">&amp; <img src=x onerror=alert(1)>'],
    ['an end of a script', '</script><script>alert(1)</script>]]>'],
    ['an address', 'javascript:alert(1)'],
    ['a colour', 'red'],
    ['text from right to left', 'שלום \u202eevil\u2066 مرحبا'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301'],
    ['500 characters', 'long '.repeat(100)],
    ['control characters and halves of letters', 'a\u0000b\u001bc\ud83d\uffff'],
    ['blanks', '   \n\t '],
  ])('shows %s as text', (_, hostile) => {
    const data = chartSamples(text => `${text} ${hostile}`)
    for (const width of [390, 1280]) {
      const svg = draw(kind, data, width)
      const all = elements(svg)
      for (const { localName } of all) expect(SHAPES).toContain(localName)
      for (const each of all) for (const { name } of each.attributes) expect(name).not.toMatch(/^on|href|^src/)
      const file = svgFile(svg)
      checkFile(file)
      expect(file).not.toMatch(/<\/?(script|img|b)\b/i)
      // Nothing is longer than the chart is wide, at the least letter there is.
      for (const { textContent } of all.filter(({ localName }) => localName === 'text'))
        expect((textContent ?? '').length).toBeLessThan(width / 3)
    }
    const whole = [...tableOf(kind, data).columns, ...tableOf(kind, data).rows.flat()].filter(
      cell => typeof cell === 'string',
    )
    if (!['losses', 'optima', 'criteria'].includes(kind)) expect(whole.some(cell => cell.includes(hostile))).toBe(true)
  })
})

it('a name that is cut says the whole to whoever points at it', () => {
  const long = 'a very long name of a category that no axis has room for, whatever is done about it'
  const svg = draw(
    'profiles',
    chartSamples(text => `${text} ${long}`),
    390,
  )
  const titles = elements(svg).filter(({ localName }) => localName === 'title')
  const cut = elements(svg).filter(({ localName, textContent }) => localName === 'text' && textContent?.includes('…'))
  expect(cut.length).toBeGreaterThan(0)
  expect(titles.length).toBe(1 + cut.length)
  for (const { textContent } of titles.slice(1)) expect(textContent).toMatch(long)
})

describe('with more room', () => {
  const columns = (kind: ChartKind) => [390, 800, 1280].map(width => columnsOf(draw(kind, chartSamples(), width)))

  it.each([
    ['profiles', [1, 2, 4]],
    ['certainty', [1, 2, 2]],
    ['losses', [1, 2, 2]],
    ['criteria', [2, 3, 3]],
    ['top', [1, 2, 2]],
    ['time', [1, 2, 3]],
    ['pairs', [1, 2, 3]],
    ['curves', [1, 2, 2]],
  ] as const)('%s stands in more columns', (kind, expected) => {
    expect(columns(kind)).toEqual(expected)
  })

  it('categories that are called by numbers stand side by side, as points', () => {
    const points = [1, 2, 99].map(value => ({ value, probabilities: [0.5, 0.5] }))
    const drawn = (numeric?: boolean) => {
      const curves = [{ covariate: 'region', points, ...(numeric !== undefined && { numeric }) }]
      const classes = chartSamples().curves.classes.slice(0, 2)
      return CHARTS.curves.draw({ classes, curves }, { document, width: 400 })
    }
    const across = [...drawn(false).querySelectorAll('circle')].slice(0, 3).map(each => Number(each.getAttribute('cx')))
    expect(across[2] - across[1]).toBeCloseTo(across[1] - across[0], 6)
    expect(drawn(false).textContent).toContain('99')
    for (const svg of [drawn(true), drawn()]) expect(svg.querySelectorAll('circle')).toHaveLength(0)
  })

  it('lines stand side by side, with names at their ends; with less, one below the other', () => {
    const { classes, measure, items } = chartSamples().lines
    const many = {
      classes,
      measure,
      items: Array.from({ length: 20 }, (_, i) => ({ ...items[i % 4], name: `item ${i}` })),
    }
    const [narrow, wide] = [390, 1280].map(width => CHARTS.lines.draw(many, { document, width }))
    expect(narrow.querySelector('.legend')).not.toBeNull()
    expect(wide.querySelector('.legend')).toBeNull()
    expect(Number(narrow.getAttribute('height'))).toBeGreaterThan(20 * 18)
    expect(Number(wide.getAttribute('height'))).toBeLessThan(450)
  })

  it('lines over more than 20 items are a heat map, with a cell for every item and class', () => {
    const { classes, items, ...rest } = chartSamples().lines
    const many = {
      ...rest,
      classes,
      items: Array.from({ length: 21 }, (_, i) => ({ ...items[i % 4], name: `item ${i}` })),
    }
    const svg = CHARTS.lines.draw(many, { document, width: 800 })
    expect(svg.querySelectorAll('rect[data-class]')).toHaveLength(21 * classes.length)
    expect(svg.querySelector('g:not(.legend) > [data-class] path, path[stroke]')).toBeNull()
  })

  it('panels of profiles have one axis from 0 to 100%, labelled once in a row, and lines without fills', () => {
    const { classes } = chartSamples().profiles
    const mode = (name: string, high: number) => ({
      name,
      labels: ['[1,2)', '[2,3)', '≥3'],
      ordered: true,
      marginal: [0.2, 0.3, 0.5],
      probabilities: classes.map(() => [high, 0.9 - high, 0.1]),
    })
    const data = { classes, modes: [mode('a', 0.5), mode('b', 0.2), mode('c', 0.3)] }
    const texts = (svg: Element, n: number, of = '') =>
      [...svg.querySelectorAll(`[data-mode="${n}"] ${of} text`)].map(({ textContent }) => textContent)
    const svg = CHARTS.profiles.draw(data, { document, width: 700 })
    expect([0, 1, 2].map(n => texts(svg, n, '.value-axis').length)).toEqual([3, 0, 3])
    expect(texts(svg, 0, '.value-axis')).toEqual(['0%', '50%', '100%'])
    expect(texts(svg, 1)).toEqual(['b', '1 – 2', '2 – 3', '≥ 3'])
    // Half of the height is 50% in every panel, whatever its highest probability.
    const height = (n: number) => svg.querySelector(`[data-mode="${n}"] circle[data-label="2"]`)?.getAttribute('cy')
    expect(height(1)).toBe(height(0))
    for (const line of svg.querySelectorAll('[data-mode] path[stroke]'))
      expect(line.closest('[fill="none"]')).not.toBeNull()
    const beside = (axis: 'beside' | 'none') =>
      CHARTS.profiles.draw({ classes, modes: [data.modes[0]] }, { document, width: 300, axis })
    expect(texts(beside('beside'), 0, '.value-axis')).toHaveLength(3)
    expect(texts(beside('none'), 0, '.value-axis')).toHaveLength(0)
  })

  it('many ordered categories have an axis of their own, which all of them share', () => {
    const { classes } = chartSamples().profiles
    const mode = (name: string, high: number) => ({
      name,
      labels: Array.from({ length: 20 }, (_, j) => `${j}`),
      ordered: true,
      marginal: new Array<number>(20).fill(0.05),
      probabilities: classes.map(() => Array.from({ length: 20 }, (_, j) => (j === 0 ? high : (1 - high) / 19))),
    })
    const data = { classes, modes: [mode('a', 0.1), mode('b', 0.3)] }
    expect(profileTop(data)).toBe(0.3)
    const ticks = (svg: Element, n = 0) =>
      [...svg.querySelectorAll(`[data-mode="${n}"] text`)]
        .map(({ textContent }) => textContent)
        .filter(text => text?.endsWith('%'))
    const both = CHARTS.profiles.draw(data, { document, width: 800 })
    expect(ticks(both, 0)).toEqual(ticks(both, 1))
    const alone = CHARTS.profiles.draw({ classes, modes: [data.modes[0]], top: 0.3 }, { document, width: 300 })
    expect(ticks(alone)).toEqual(ticks(both))
  })

  it('profiles are heat maps with more than 5 classes or 20 variables, unless it is chosen', () => {
    const { classes, modes } = chartSamples().profiles
    const six = Array.from({ length: 6 }, (_, k) => ({ name: `class ${k + 1}`, share: 1 / 6 }))
    const [vote] = modes
    const wide = { ...vote, probabilities: six.map(() => [0.4, 0.6]), intervals: undefined as never }
    const cells = (data: ChartDataByKind['profiles'], heatMap?: boolean) =>
      CHARTS.profiles
        .draw(data, { document, width: 800, ...(heatMap !== undefined && { heatMap }) })
        .querySelectorAll('[data-mode="0"] [fill-opacity] rect, [data-mode="0"] rect[fill-opacity]').length
    expect(cells({ classes, modes: [vote] })).toBe(0)
    expect(cells({ classes, modes: [vote] }, true)).toBe(6)
    expect(cells({ classes: six, modes: [wide] })).toBe(12)
    expect(cells({ classes: six, modes: [wide] }, false)).toBe(0)
    expect(cells({ classes, modes: Array.from({ length: 21 }, (_, n) => ({ ...vote, name: `${n}` })) })).toBe(6)
  })

  it('variables that are not shown are named', () => {
    const { classes, modes } = chartSamples().profiles
    const many = Array.from({ length: 62 }, (_, n) => ({ ...modes[0], name: `q${n}` }))
    expect(CHARTS.profiles.draw({ classes, modes: many }, { document, width: 800 }).textContent).toContain(
      '60 variables at most: q60, q61',
    )
    const omitted = { names: ['town'], reason: 'more than 10 categories without an order' }
    const lines = CHARTS.lines.draw({ ...chartSamples().lines, omitted }, { document, width: 800 })
    expect(lines.textContent).toContain('Not shown: town (more than 10 categories without an order).')
  })

  it('long names stand on several lines, or turned, and begin within the chart', () => {
    const { classes } = chartSamples().profiles
    const drawn = (labels: readonly string[]) => {
      const each = labels.map(() => 1 / labels.length)
      const mode = { name: 'x', labels, ordered: false, marginal: each, probabilities: classes.map(() => each) }
      return CHARTS.profiles.draw({ classes, modes: [mode] }, { document, width: 300 })
    }
    const wrapped = drawn(['strongly agree', 'neither agree nor disagree', 'strongly disagree'])
    expect(wrapped.querySelectorAll('text[data-label] tspan').length).toBeGreaterThan(4)
    const turned = drawn(['Staatsangehörigkeitsnachweis', 'Aufenthaltsbescheinigung', 'Reisepass', 'Ausweis', 'keines'])
    expect(turned.querySelector('text[data-label="1"]')?.getAttribute('transform')).toContain('rotate(-45)')
    expect(turned.textContent).toContain('Reisepass')
  })

  it('residuals are a matrix; with less, the pairs that fit worst', () => {
    const modes = Array.from({ length: 30 }, (_, n) => `mode ${n}`)
    const pairs = modes.flatMap((a, i) => modes.slice(i + 1).map(b => ({ modes: [a, b] as const, residual: i + 1 })))
    const [narrow, wide] = [390, 1280].map(width => CHARTS.residuals.draw({ modes, pairs }, { document, width }))
    const cells = (svg: Element) => svg.querySelectorAll('rect').length
    expect([cells(narrow), cells(wide)]).toEqual([20, (30 * 29) / 2])
  })
})

describe('any model', () => {
  const probabilities = (size: number) =>
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: size, maxLength: size }).map(values => {
      const sum = values.reduce((a, b) => a + b)
      return sum > 0 ? values.map(value => value / sum) : values.map((_, j) => (j === 0 ? 1 : 0))
    })
  const profiles = fc.integer({ min: 1, max: 12 }).chain(rank =>
    fc.record({
      shares: probabilities(rank),
      modes: fc.array(
        fc.record({
          name: fc.string({ unit: 'binary' }),
          ordered: fc.boolean(),
          factors: fc
            .integer({ min: 1, max: 30 })
            .chain(size => fc.array(probabilities(size), { minLength: rank, maxLength: rank })),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  )

  it('is drawn at any width', () => {
    fc.assert(
      fc.property(profiles, fc.integer({ min: 240, max: 2000 }), ({ shares, modes }, width) => {
        const classes = shares.map((share, k) => ({ name: `class ${k + 1}`, share }))
        const data = {
          classes,
          modes: modes.map(({ name, ordered, factors }) => ({
            name,
            ordered,
            labels: factors[0].map((_, j) => `label ${j}`),
            probabilities: factors,
            marginal: factors[0].map((_, j) => shares.reduce((sum, share, k) => sum + share * factors[k][j], 0)),
          })),
        }
        const [time, pairs] = [timeData(data), pairsData(data)]
        const options = { document, width }
        const drawn = [
          CHARTS.profiles.draw(data, options),
          CHARTS.top.draw(data, options),
          CHARTS.lines.draw(linesData(data), options),
          CHARTS.shares.draw({ classes }, options),
          ...(time === undefined ? [] : [CHARTS.time.draw(time, options)]),
          ...(pairs === undefined ? [] : [CHARTS.pairs.draw(pairs, options)]),
          CHARTS.posteriors.draw({ classes, points: [{ probabilities: shares, count: 1 }] }, options),
        ]
        for (const svg of drawn) checkFile(svgFile(svg))
      }),
      { numRuns: 5 },
    )
  })
})

describe('posteriors', () => {
  it('are a histogram for two classes, a triangle for three, and a panel for each of more', () => {
    const parts = [2, 3, 4].map(rank => {
      const classes = Array.from({ length: rank }, (_, k) => ({ name: `class ${k + 1}`, share: 1 / rank }))
      const points = classes.map((_, k) => ({ probabilities: classes.map((_, l) => (k === l ? 1 : 0)), count: k + 1 }))
      const svg = CHARTS.posteriors.draw({ classes, points }, { document, width: 640 })
      return {
        bars: svg.querySelectorAll('rect').length,
        panels: svg.querySelectorAll('.panel').length,
        dots: svg.querySelectorAll('circle').length,
      }
    })
    expect(parts[0]).toEqual({ bars: 20, panels: 0, dots: 0 })
    expect(parts[1]).toEqual({ bars: 0, panels: 0, dots: 3 })
    expect(parts[2].panels).toBe(4)
  })
})

describe('what marks stand for', () => {
  const { profiles, top, lines } = chartSamples()
  const draw = (options: object) => CHARTS.profiles.draw(profiles, { document, width: 800, ...options })

  it('is said of every bar: its class, its label and, by its panel, its mode', () => {
    const bars = draw({}).querySelectorAll('[data-mode="0"] rect[data-class][data-label]')
    expect([...bars].map(bar => [bar.getAttribute('data-class'), bar.getAttribute('data-label')])).toEqual(
      profiles.classes.flatMap((_, k) => profiles.modes[0].labels.map((_, j) => [`${k}`, `${j}`])),
    )
  })

  it('is said of names: the places are those of the data, also where some labels are left out', () => {
    const place = profiles.modes[3]
    const names = [...draw({}).querySelectorAll('[data-mode="3"] text[data-label]:not([data-class])')]
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(name.textContent).toBe(place.labels[Number(name.getAttribute('data-label'))])
    const marks = [...CHARTS.top.draw(top, { document, width: 800 }).querySelectorAll('[data-class="1"] rect')]
    for (const mark of marks) {
      const [n, j] = ['data-mode', 'data-label'].map(key => Number(mark.getAttribute(key)))
      expect(top.modes[n].probabilities[1][j]).toBeGreaterThan(top.modes[n].marginal[j])
    }
  })

  it('has areas to point at, and what independence expects, where they are asked for', () => {
    const count = (svg: Element, what: string) => svg.querySelectorAll(what).length
    const [plain, more] = [draw({}), draw({ reference: true, targets: true })]
    expect(count(more, '[fill-opacity="0"]')).toBeGreaterThan(count(plain, '[fill-opacity="0"]'))
    expect(count(plain, '[data-mode] [stroke-dasharray]')).toBe(0)
    expect(count(more, '[data-mode] [stroke-dasharray]')).toBe(profiles.modes.filter(mode => mode.ordered).length)
    checkFile(svgFile(more))
    const items = lines.items.map((item, i) => ({ ...item, overall: i / 10 }))
    const line = CHARTS.lines.draw({ ...lines, items }, { document, width: 800, reference: true })
    expect(count(line, '[stroke-dasharray]')).toBe(1)
  })
})
