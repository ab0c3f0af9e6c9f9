import { Session as Inspector } from 'node:inspector/promises'
import { newArena } from '../../packages/core/dist/engine/wasm/arena.js'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { DATA, toTensor } from './data.js'
import { passOf, startOf } from './passes.js'
import { table } from './table.js'

/** A profile knows the kernels by their numbers, which are the names of the exported functions. */
const exportsByNumber = async (): Promise<Map<string, string>> => {
  const { kernels } = await newArena()
  return new Map(
    Object.entries(kernels).map(([name, work]) => [`wasm-function[${(work as { name: string }).name}]`, name]),
  )
}

/** What a function of the profile belongs to. */
const kindOf = (name: string): string => {
  // The kernels themselves are not exported, their loops over blocks are.
  if (/^(rank|tiled|wasm-function)/.test(name)) return 'cells'
  if (/sumLogs/.test(name)) return 'logarithm'
  if (/^(zero|add|pad|ones|joinPairs|splitPairs)$/.test(name)) return 'tables'
  return 'the rest'
}

/** Where the time of a pass goes, in percent: a sampling profile of one thread. */
export const profileTable = async (say: (text: string) => void): Promise<string> => {
  const rows: (string | number)[][] = []
  const names = await exportsByNumber()
  for (const [name, rank] of [
    ['T3', 10],
    ['T3', 32],
    ['T4', 10],
    ['T2', 10],
    ['S20', 4],
    ['S20', 16],
  ] as const) {
    const tensor = toTensor(DATA[name]())
    const session = await wasmEngine({ threads: 1 }).open(tensor)
    const work = passOf(session, startOf(tensor, rank), tensor)
    const run = async (milliseconds: number) => {
      for (const end = performance.now() + milliseconds; performance.now() < end; ) await work()
    }
    await run(500)
    const inspector = new Inspector()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: 200 })
    await inspector.post('Profiler.start')
    await run(1500)
    const { profile } = await inspector.post('Profiler.stop')
    inspector.disconnect()
    await session.close()
    const shares = new Map<string, number>()
    let total = 0
    for (const { callFrame, hitCount = 0 } of profile.nodes) {
      if (/^\((idle|program|garbage collector|root)\)$/.test(callFrame.functionName)) continue
      const kind = kindOf(names.get(callFrame.functionName) ?? callFrame.functionName)
      shares.set(kind, (shares.get(kind) ?? 0) + hitCount)
      total += hitCount
    }
    const percent = (kind: string) => `${((100 * (shares.get(kind) ?? 0)) / total).toFixed(1)}%`
    rows.push([`${name} rank ${rank}`, percent('cells'), percent('logarithm'), percent('tables'), percent('the rest')])
    say(rows[rows.length - 1].join('  '))
  }
  return table(['pass', 'cells', 'logarithm', 'tables', 'the rest'], rows)
}
