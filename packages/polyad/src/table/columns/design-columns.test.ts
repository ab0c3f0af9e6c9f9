import { describe, expect, it } from 'vitest'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView, type TableOptions } from '../reading/read-view.ts'
import { looksLikeWeights } from './design-columns.ts'

describe('columns of the design of a sample', () => {
  it.each(
    'w wt wts wgt weight Weights pspwght dweight pweight anweight finalwt final_weight fwgt perwt hhwt wtssall w_fstuwt wtmec2yr sampling_weight gewicht wt_final'.split(
      ' ',
    ),
  )('%s is called as weights are', name => expect(looksLikeWeights({ name })).toBe(true))

  it.each('n count freq sw nw height weighted_score overweight wave w1 total newt'.split(' '))('%s is not', name =>
    expect(looksLikeWeights({ name })).toBe(false),
  )

  const head = 'q1,q2,pspwght,dweight,psu,stratum,rw1,rw2,rw3,rw4,n'
  const lines = Array.from({ length: 120 }, (_, i) => {
    const weights = [1.25 + (i % 9) / 8, 0.5 + (i % 5) / 4]
    return [i % 2, i % 3, ...weights, i % 12, i % 2, ...[1, 2, 3, 4].map(r => weights[0] * (1 + ((i + r) % 2))), (i % 4) + 1].join() // biome-ignore format: one row
  })
  const table = () => openTable({ name: 'survey.csv', text: `${head}\n${lines.join('\n')}\n` })

  it('are proposed for what they are, and are no variables', async () => {
    const { columns, notes } = await inspectTable(await table())
    const guesses = Object.fromEntries(columns.map(({ name, guess }) => [name, guess]))
    expect(Object.keys(guesses).filter(name => guesses[name] === 'mode')).toEqual(['q1', 'q2'])
    const reason = (of: string) => columns.find(({ name }) => name === of)?.reason
    expect(reason('dweight')).toContain(
      "it looks like sampling weights: use weights 'dweight', or if it says how often",
    )
    expect(reason('rw3')).toBe("it looks like a replicate weight: use replicateWeights 'rw*'")
    expect(reason('psu')).toBe("it looks like clusters of the sample: use cluster 'psu'")
    const said = notes.map(({ text }) => text).join('\n')
    expect(said).toContain(
      "pspwght, dweight look like sampling weights: use one of them, as in weights 'pspwght'; until",
    )
    expect(said).toContain("rw1, rw2 and 2 more look like replicate weights: use replicateWeights 'rw*'")
    expect(said).toContain("psu looks like clusters of the sample: use cluster 'psu' with strata 'stratum'")
    // A whole-number column called n stays a frequency, or is spoken of as one.
    expect(said).toContain("to count by it: count 'n'")
  })

  it('that are named are used, and the others are not proposed again', async () => {
    const read = async (options: TableOptions) => {
      const { tensor, notes } = await readView(await table(), options)
      return { names: tensor.modes.map(({ name }) => name), said: notes.map(({ text }) => text).join('\n') }
    }
    const design = { cluster: 'psu', stratum: 'stratum' }
    const { names, said } = await read({ weights: 'pspwght', design })
    expect(names).toEqual(['q1', 'q2', 'psu', 'stratum', 'n'])
    expect(said).toContain('variables: q1, q2, n')
    expect(said).not.toMatch(/looks? like/)
    expect((await read({ modes: ['q1', 'dweight'] })).names).toEqual(['q1', 'dweight'])
  })
})
