import { describe, expect, it } from 'vitest'
import { classColour, DARK, DARKEST_CELL, LIGHT, literalColour, themeCss } from './colours.ts'
import { clipText, columnsOf, fitText, fitTwo, pixelsOf, wrapText } from './label-text.ts'

const linear = (colour: string): number[] =>
  [1, 3, 5].map(at => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })

/** What the eye makes of linear colours without its red or its green cones (Machado, Oliveira and Fernandes 2009). */
const EYES = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

const times = (matrix: readonly (readonly number[])[], vector: readonly number[]) =>
  matrix.map(row => row.reduce((sum, each, i) => sum + each * vector[i], 0))

/** Björn Ottosson's OKLab, in which distances are what the eye sees. */
const oklab = (rgb: readonly number[]): number[] => {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt),
  )
}

const apart = (a: string, b: string): number =>
  Math.min(
    ...Object.values(EYES).map(eye => {
      const [p, q] = [a, b].map(colour => oklab(times(eye, linear(colour)).map(value => Math.max(0, value))))
      return Math.hypot(...p.map((each, i) => each - q[i]))
    }),
  )

const contrast = (a: string, b: string): number => {
  const [high, low] = [a, b].map(colour => times([[0.2126, 0.7152, 0.0722]], linear(colour))[0]).sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s theme', (_, theme) => {
  const { classes, background } = theme

  it('has colours of classes that can be told apart, also without red or green cones', () => {
    const nearest = (colours: readonly string[]) =>
      Math.min(...colours.flatMap((a, i) => colours.slice(i + 1).map(b => apart(a, b))))
    expect(nearest(classes.slice(0, 6))).toBeGreaterThan(0.13)
    expect(nearest(classes.slice(0, 10))).toBeGreaterThan(0.08)
    expect(nearest(classes)).toBeGreaterThan(0.06)
    expect(new Set(classes).size).toBe(20)
  })

  it('stands out from its background: shapes at 3 to 1, text at 4.5', () => {
    for (const colour of [...classes, theme.accent]) expect(contrast(colour, background)).toBeGreaterThanOrEqual(3)
    for (const colour of [theme.ink, theme.muted]) expect(contrast(colour, background)).toBeGreaterThanOrEqual(4.5)
  })

  it('has ink that can be read on the darkest cell of any colour', () => {
    const parts = (colour: string) => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
    for (const colour of [...classes, theme.accent]) {
      const mixed = parts(colour).map((part, i) => DARKEST_CELL * part + (1 - DARKEST_CELL) * parts(background)[i])
      const shown = `#${mixed.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
      expect(contrast(theme.ink, shown), colour).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('is what custom properties become in files', () => {
    expect(literalColour(classColour(1), theme)).toBe(classes[1])
    expect(literalColour(classColour(classes.length), theme)).toBe(classes[0])
    expect(literalColour('currentColor', theme)).toBe(theme.ink)
    expect(literalColour('var(--muted, #000000)', theme)).toBe(theme.muted)
    expect(literalColour('var(--constructor, #123456)', theme)).toBe('#123456')
    expect(literalColour('none', theme)).toBe('none')
    expect(themeCss(theme)).toContain(`--class-2: ${classes[1]}`)
  })
})

it('a caller may choose the colours', () => {
  expect([0, 1, 2].map(k => classColour(k, ['red', 'blue']))).toEqual(['red', 'blue', 'red'])
})

describe('text', () => {
  it('is cut by how wide it stands', () => {
    expect(clipText('abcdef', 4)).toBe('abc…')
    expect(columnsOf(clipText('漢字漢字漢字', 6))).toBeLessThanOrEqual(6)
    expect(clipText('e\u0301e\u0301', 2)).toBe('e\u0301e\u0301')
    expect(fitText('short', 100)).toBe('short')
    for (const text of ['WWWWWWWWWW', 'iiiiiiiiiiiiiiiiiiii', '漢字漢字漢字漢字', 'שלום שלום שלום שלום'])
      expect(pixelsOf(fitText(text, 50))).toBeLessThanOrEqual(50)
  })

  it('from right to left does not reach beyond its end', () => {
    expect(fitText('שלום', 100)).toBe('שלום\u200e')
    expect(fitText(fitText('שלום', 100), 100)).toBe('שלום\u200e')
    expect(clipText('שלום שלום', 6)).toMatch(/…\u200e$/)
    expect(columnsOf('שלום\u200e')).toBe(4)
  })

  it('of two parts keeps something of both', () => {
    expect(fitTwo('mode', ': ', 'label', 200)).toBe('mode: label')
    const [mode, label] = fitTwo('a very long name of a mode', ': ', 'and a very long label', 120).split(': ')
    expect(mode).toMatch(/^a ver.*…$/)
    expect(label).toMatch(/^and a.*…$/)
  })

  it('is broken into lines, the last of them cut', () => {
    const lines = wrapText('one two three four five six seven eight nine ten', 80, 12, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/…$/)
    expect(wrapText('one', 80)).toEqual(['one'])
  })
})
