import { describe, expect, it } from 'vitest'
import { fitProgress, fitted } from './progress-line.ts'

describe('the line of progress', () => {
  const parts = ['one', 'two', '', 'three', 'four']

  it('has all its parts where there is room', () => {
    expect(fitted(parts, 80)).toBe('one · two · three · four')
  })

  it('keeps what matters most where there is not', () => {
    expect(fitted(parts, 14, [0, 4])).toBe('one · four')
    expect(fitted(parts, 3, [4])).toBe('fo…')
  })

  it('keeps the time left at every width', () => {
    for (const columns of [40, 60, 80, 120]) {
      let shown = ''
      const line = {
        live: true,
        show: (all: readonly string[], first?: readonly number[]) => {
          shown = fitted(all, columns, first)
        },
        clear: () => {},
      }
      const show = fitProgress({ line, found: () => {} }, 1000, () => 90)
      show({
        rank: 12,
        phase: 'screening',
        runs: 1234,
        pass: 5678,
        loss: -123456.789,
        best: -123460.5,
        passes: 10_000,
        maxPasses: 20_000,
      } as unknown as Parameters<typeof show>[0])
      expect(shown.length).toBeLessThanOrEqual(columns)
      expect(shown).toMatch(/left at most$/)
    }
  })

  it('knows the time left by the clock too', () => {
    let shown: readonly string[] = []
    const line = {
      live: true,
      show: (all: readonly string[]) => {
        shown = all
      },
      clear: () => {},
    }
    const progress = { rank: 2, phase: 'starts', runs: 0, pass: 1, loss: 1, best: 1, passes: 1 }
    const unlimited = { ...progress, maxPasses: Number.MAX_SAFE_INTEGER } as never
    let times = 0
    const found = () => void times++
    fitProgress({ line, found }, 10, () => 7.25)(unlimited)
    expect(shown.at(-1)).toBe('7.3 s left at most')
    fitProgress({ line, found }, 10)(unlimited)
    expect(shown.at(-1)).toBe('')
    // Whoever watches the command learns that there is something to answer with.
    expect(times).toBe(2)
  })
})
