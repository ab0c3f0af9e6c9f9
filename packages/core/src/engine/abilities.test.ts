import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { values } from '../../../../test/tables.ts'
import { ABILITIES, lacking, NEEDS, type Statistic } from './abilities.ts'
import { referenceEngine } from './reference.ts'
import { wasmEngine } from './wasm/wasm-engine.ts'

describe('what a session can do', () => {
  it('is declared by the engines', async () => {
    const sessions = [await referenceEngine.open(values), await wasmEngine({ threads: 1 }).open(values)]
    for (const session of sessions) {
      expect(session.can).toEqual(['cells', 'information', 'reweight', 'open'])
      for (const statistic of Object.keys(NEEDS)) expect(lacking(session, statistic as Statistic)).toBeUndefined()
      await session.close()
    }
  })

  it('is asked for by name, and its lack is worded once', () => {
    const reason = 'which the engine of this data does not provide'
    expect(lacking({ can: ['several'] }, 'standard errors')).toBe(
      `standard errors need the information of the parameters, ${reason}`,
    )
    expect(lacking({ can: ['information'] }, 'standard errors of weighted data')).toContain(ABILITIES.reweight)
    expect(lacking({ can: ['reweight', 'cells'] }, 'the held-out log-likelihood')).toBeUndefined()
  })

  it('is in the documentation, statistic by statistic', () => {
    const text = readFileSync(new URL('../../../../docs/engines.md', import.meta.url), 'utf8')
    const rows = Object.entries(NEEDS).map(
      ([name, needs]) => `| ${name} | ${needs.map(each => ABILITIES[each]).join(', ')} |`,
    )
    expect(text).toContain(`| statistic | needs |\n|---|---|\n${rows.join('\n')}\n\n`)
  })
})
