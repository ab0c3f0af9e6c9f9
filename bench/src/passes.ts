import { referencePass } from '../../packages/core/dist/engine/reference.js'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { newStatistics } from '../../packages/core/dist/entries/engine.js'
import type { Parameters, Session, Tensor } from '../../packages/core/dist/index.js'
import { randomStart } from '../../packages/core/dist/model/random.js'
import { DATA, toTensor } from './data.js'
import { interleaved } from './measure.js'
import { table } from './table.js'

const RANKS = [4, 8, 10, 16, 32, 64]

export const startOf = (tensor: Tensor, rank: number): Parameters => randomStart(tensor.shape, rank, 1, 0)

/** A pass as a piece of work, with its statistics kept from round to round. */
export const passOf = (session: Session, parameters: Parameters, tensor: Tensor): (() => Promise<unknown>) => {
  const into = newStatistics(tensor.shape, parameters.rank)
  return () => session.pass(parameters, into)
}

/** The cost of a pass for every tensor and rank, on one thread and on two, beside the reference engine. */
export const passTable = async (say: (text: string) => void, names = Object.keys(DATA)): Promise<string> => {
  const rows: (string | number)[][] = []
  for (const name of names) {
    const tensor = toTensor(DATA[name]())
    const sessions = [await wasmEngine({ threads: 1 }).open(tensor), await wasmEngine({ threads: 2 }).open(tensor)]
    for (const rank of RANKS) {
      const parameters = startOf(tensor, rank)
      const into = newStatistics(tensor.shape, rank)
      const fast = sessions.map(session => passOf(session, parameters, tensor))
      await interleaved(fast, 3)
      const { best } = await interleaved([...fast, () => referencePass(tensor, parameters, into)], 3)
      const more = await interleaved(fast, 8)
      const [one, two] = more.best.map((value, i) => Math.min(value, best[i]))
      const perCell = (milliseconds: number) => (milliseconds * 1e6) / tensor.cells
      const perClass = perCell(one) / tensor.shape.length / rank
      rows.push([
        `${name} rank ${rank}`,
        perCell(one).toFixed(1),
        perClass.toFixed(3),
        perCell(two).toFixed(1),
        `${(one / two).toFixed(2)}×`,
        perCell(best[2]).toFixed(0),
        `${(best[2] / one).toFixed(1)}×`,
      ])
      say(rows[rows.length - 1].join('  '))
    }
    for (const session of sessions) await session.close()
  }
  const head = ['pass', 'ns/cell', 'ns/cell·mode·class', '2 threads', 'speed-up', 'reference', 'ratio']
  return table(head, rows)
}

/** What goodness of fit and the certainty of the classes cost: `measure` beside a pass, on one thread and on two. */
export const measureTable = async (say: (text: string) => void): Promise<string> => {
  const rows: string[][] = []
  for (const name of ['T3', 'S20']) {
    const tensor = toTensor(DATA[name]())
    const sessions = [await wasmEngine({ threads: 1 }).open(tensor), await wasmEngine({ threads: 2 }).open(tensor)]
    for (const rank of [4, 10, 16, 32]) {
      const parameters = startOf(tensor, rank)
      const pairs = sessions.map(session => [() => session.measure(parameters), passOf(session, parameters, tensor)])
      await interleaved(pairs.flat(), 2)
      const { best } = await interleaved(pairs.flat(), 8)
      const perCell = (milliseconds: number) => ((milliseconds * 1e6) / tensor.cells).toFixed(1)
      const ratios = [best[0] / best[1], best[2] / best[3]].map(ratio => `${ratio.toFixed(2)}×`)
      rows.push([`${name} rank ${rank}`, perCell(best[0]), ratios[0], perCell(best[2]), ratios[1]])
      say(rows[rows.length - 1].join('  '))
    }
    for (const session of sessions) await session.close()
  }
  return table(['measure', 'ns/cell', 'of a pass', '2 threads', 'of a pass'], rows)
}
