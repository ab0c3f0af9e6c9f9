import { describe, expect, it } from 'vitest'
import { roundedEngine } from '../../../../test/rounded-engine.ts'
import { values } from '../../../../test/tables.ts'
import { conformance, singleOf } from './conformance.ts'
import type { Engine, Session } from './engine.ts'
import { referenceEngine } from './reference.ts'

/**
 * Its parameters are plain numbers in single precision, so it has nothing against underflow. It rounds number by number: wide modes, which take it long,
 * are for the engines.
 */
const cases = conformance.filter(({ name }) => !/hundreds of modes|underflow|a wide mode/.test(name))

describe('a session in single precision', () => {
  it.each(cases)('$name', async ({ check }) => {
    await check(singleOf(roundedEngine()))
  })

  it('is refused if its log-likelihood is worse than its numbers', async () => {
    const single = singleOf(roundedEngine())
    const worse: Engine = {
      ...single,
      open: async tensor => {
        const session = await single.open(tensor)
        const pass: Session['pass'] = async (parameters, into) => {
          const found = await session.pass(parameters, into)
          found.logLikelihood *= 1 + 1e-6
          return found
        }
        return { ...session, pass }
      },
    }
    const agrees = conformance.find(({ name }) => name.includes('three modes'))!
    await expect(agrees.check(worse)).rejects.toThrow('logLikelihood')
  })

  it('is asked for by name', async () => {
    await expect(singleOf(referenceEngine).open(values)).rejects.toThrow('has no single precision')
  })
})
