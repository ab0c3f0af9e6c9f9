import { inWords } from '@polyad/core/options'
import { describe, expect, it } from 'vitest'
import { looked, number } from '../../../../../test/looked-at.ts'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView, type TableOptions } from '../reading/read-view.ts'
import type { Column } from './columns.ts'
import { type KnownSample, looksLikeWeights, proposedDesign } from './design-columns.ts'

describe('columns of the design of a sample', () => {
  it.each(
    'finwt final_wgt fin_weights deswt desweight samplewt sampwgt samplingweight houseweight hhweight persweight perwgt personwt wgt_fin wt_psp wt_ps weight_all wt99 w wt wts wgt weight Weights pspwght dweight pweight anweight finalwt final_weight fwgt perwt hhwt wtssall w_fstuwt wtmec2yr sampling_weight gewicht wt_final'.split(
      ' ',
    ),
  )('%s is called as weights are', name => expect(looksLikeWeights({ name })).toBe(true))

  it.each('n count freq sw nw height weighted_score overweight wave w1 total newt'.split(' '))('%s is not', name =>
    expect(looksLikeWeights({ name })).toBe(false),
  )

  const head = 'q1,q2,pspwght,dweight,psu,stratum,rw1,rw2,rw3,rw4,n'
  const lines = Array.from({ length: 120 }, (_, i) => {
    const weights = [1.25 + (i % 9) / 8, 0.5 + (i % 5) / 4]
    return [
      i % 2,
      i % 3,
      ...weights,
      i % 12,
      i % 2,
      ...[1, 2, 3, 4].map(r => weights[0] * (1 + ((i + r) % 2))),
      (i % 4) + 1,
    ].join()
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
    // A whole-number column called n stays a frequency, or is mentioned as one.
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

describe('what is proposed for the design of a sample', () => {
  const proposed = (columns: readonly Column[], known: Partial<KnownSample> = {}) => {
    const { aside, notes, weight } = proposedDesign(columns, { claimed: [], counted: false, designed: false, ...known })
    return {
      aside: aside.map(({ column, reason }) => `${column.name}: ${inWords(reason)}`),
      said: notes.map(({ kind, text }) => `${kind}: ${text}`),
      weight: weight?.name,
    }
  }
  const family = Array.from({ length: 4 }, (_, i) => number(`rw${i}`, 50))

  it('weights', () => {
    const either = "use weights 'wt', or if it says how often a row was seen, count 'wt'"
    expect(proposed([looked('q1'), number('wt', 50)])).toEqual({
      aside: [`wt: it looks like sampling weights: ${either}`],
      said: [
        `warning: wt looks like sampling weights: ${either}; until then every row counts once. To use it as a variable, cut it with bins 'wt:q5'`,
      ],
      weight: 'wt',
    })
    expect(proposed([number('wt', 5)]).said[0]).toMatch(/To use it as a variable, name it with modes$/)
    expect(proposed([number('dweight', 50), number('pspwght', 50)])).toMatchObject({
      said: [
        "warning: dweight, pspwght look like sampling weights: use one of them, as in weights 'pspwght'; until then every row counts once. To use it as a variable, cut it with bins 'dweight:q5'",
      ],
      weight: 'pspwght',
    })
    expect(proposed([number('wt', 50)], { counted: true })).toMatchObject({
      aside: [expect.anything()],
      said: [],
      weight: undefined,
    })
    const weights = ['wt', 'wt1', 'wt2', 'wt3', 'wt4'].map(name => number(name, 50))
    expect(proposed(weights).said[0]).toContain('wt, wt1, wt2, wt3 and 1 more look like')
    expect(proposed([weights[0]], { claimed: [weights[0]] })).toEqual({ aside: [], said: [], weight: undefined })
    // Words are no weights, and numbers with a few words are.
    expect(proposed([looked('wt', { numeric: 0.5 })]).aside).toEqual([])
    expect(proposed([looked('wt', { numeric: 0.6 })]).aside).toHaveLength(1)
    expect(proposed([looked('wt', { kind: 'date', numeric: 1 })]).aside).toEqual([])
  })

  it.each([
    [['wt', 'finalwt'], 'finalwt'],
    [['wt', 'weight_final'], 'weight_final'],
    [['wt', 'anweight'], 'anweight'],
    [['wt', 'PSWT'], 'PSWT'],
    [['wt', 'w_fstuwt'], 'w_fstuwt'],
    [['wt', 'wfstuwt'], 'wfstuwt'],
    [['wt', 'dweight'], 'wt'],
    [['wt', 'hhwt'], 'wt'],
  ])('of %j, %s is preferred', (names, weight) => {
    expect(proposed(names.map(name => number(name, 50))).weight).toBe(weight)
  })

  it('replicate weights, clusters and strata', () => {
    const [psu, stratum] = [looked('psu'), looked('stratum')]
    expect(proposed(family)).toEqual({
      aside: family.map(({ name }) => `${name}: it looks like a replicate weight: use replicateWeights 'rw*'`),
      said: ["warning: rw0, rw1 and 2 more look like replicate weights: use replicateWeights 'rw*'"],
      weight: undefined,
    })
    expect(proposed([psu, stratum])).toEqual({
      aside: [
        "psu: it looks like clusters of the sample: use cluster 'psu'",
        "stratum: it looks like strata of the sample: use strata 'stratum'",
      ],
      said: ["warning: psu looks like clusters of the sample: use cluster 'psu' with strata 'stratum'"],
      weight: undefined,
    })
    expect(proposed([psu]).said).toEqual(["warning: psu looks like clusters of the sample: use cluster 'psu'"])
    expect(proposed([stratum]).said).toEqual([
      "warning: stratum looks like strata of the sample: use strata 'stratum' with cluster",
    ])
    expect(proposed([stratum], { designed: true }).said).toEqual([])
    expect(proposed([psu, stratum, ...family], { designed: true })).toMatchObject({ said: [] })
    expect(proposed([looked('psu', { kind: 'nested' }), looked('stratum', { kind: 'empty' })]).aside).toEqual([])
    // Replicates are no weights, though they are called so.
    const rwt = Array.from({ length: 4 }, (_, i) => number(`rwt${i}`, 50))
    expect(rwt.every(looksLikeWeights)).toBe(true)
    expect(proposed(rwt)).toMatchObject({ weight: undefined, said: [expect.stringContaining('replicate')] })
  })

  it.each('psu VPSU psu_id psuno psunr sdmvpsu secu cluster_id clusterno clusternr'.split(' '))(
    '%s is called as clusters are',
    name => expect(proposed([looked(name)]).aside[0]).toContain('clusters of the sample'),
  )
  it.each('strata stratum strat vstrat SDMVSTRA stratum_id stratano strat_nr'.split(' '))(
    '%s is called as strata are',
    name => expect(proposed([looked(name)]).aside[0]).toContain('strata of the sample'),
  )
  it.each('cluster psux xpsu psu_x clusters stratify vstratum strati xstrata secure'.split(' '))('%s is not', name =>
    expect(proposed([looked(name)]).aside).toEqual([]),
  )
})
