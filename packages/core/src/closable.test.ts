import { expect, it } from 'vitest'
import { referenceEngine } from './engine/reference.ts'
import { wasmEngine } from './engine/wasm/wasm-engine.ts'
import { principalComponent, tensorFromRows } from './index.ts'

it.each([wasmEngine(), referenceEngine])('a session is closed by what await using calls ($name)', async engine => {
  const tensor = tensorFromRows([{ a: 'x' }, { a: 'y' }])
  const { parameters } = principalComponent(tensor)
  const session = await engine.open(tensor)
  await session.pass(parameters)
  const dispose: symbol = (Symbol as { asyncDispose?: symbol }).asyncDispose ?? Symbol.for('Symbol.asyncDispose')
  await (session as unknown as Record<symbol, () => Promise<void>>)[dispose]()
  await expect(session.pass(parameters)).rejects.toThrow('the session is closed')
})
