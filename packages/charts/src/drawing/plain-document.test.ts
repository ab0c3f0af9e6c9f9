import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { chartSamples } from '../../../../test/chart-samples.ts'
import { CHART_KINDS, CHARTS } from '../charts/kinds.ts'
import { plainDocument } from './plain-document.ts'
import { svgText } from './svg-file.ts'

it.each(CHART_KINDS)('has all that a chart of %s is made with: it is the same as on a whole DOM', kind => {
  const whole = parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document
  const data = chartSamples()
  const draw = CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement
  for (const width of [340, 960]) {
    const [plain, other] = [plainDocument(), whole].map(document =>
      svgText(draw(data[kind], { document, width, reference: true, targets: true })),
    )
    expect(plain).toBe(other)
  }
})

it('moves nodes, and finds them', () => {
  const document = plainDocument()
  const [a, b] = ['g', 'title'].map(name => document.createElementNS('http://www.w3.org/2000/svg', name))
  a.append('before', b, 'after')
  b.textContent = '<b>'
  expect(a.querySelector('title')?.textContent).toBe('<b>')
  b.replaceWith(document.createTextNode('instead'))
  expect(a.textContent).toBe('beforeinsteadafter')
  a.insertBefore(b, a.firstChild)
  expect(svgText(a)).toBe('<g><title>&#60;b&#62;</title>beforeinsteadafter</g>')
})
