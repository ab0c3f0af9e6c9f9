import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { fit, type Session } from '../../packages/core/dist/index.js'
import { DATA, toTensor } from './data.js'
import { interleaved } from './measure.js'
import { passOf, startOf } from './passes.js'
import { table } from './table.js'

const say = (text: string) => process.stderr.write(`  ${text}\n`)

/** Passes in single precision beside those in double, in turns. */
export const singlePasses = async (names: readonly string[], ranks: readonly number[]): Promise<string> => {
  const rows: string[][] = []
  for (const name of names) {
    const tensor = toTensor(DATA[name]())
    const sessions = [await wasmEngine({ threads: 1 }).open(tensor), await wasmEngine({ threads: 2 }).open(tensor)]
    for (const rank of ranks) {
      const parameters = startOf(tensor, rank)
      const work: (() => Promise<unknown>)[] = sessions
        .slice(0, 1)
        .flatMap(session => [passOf(session, parameters, tensor), passOf(session.single!, parameters, tensor)])
      // Each in its own rounds: to change between precisions is to lay out the memory anew.
      const best = work.map(() => Number.POSITIVE_INFINITY)
      for (let round = 0; round < 4; round++) {
        for (const [i, each] of work.entries()) {
          await each()
          best[i] = Math.min(best[i], (await interleaved([each], 3)).best[0])
        }
      }
      const perCell = (milliseconds: number) => ((milliseconds * 1e6) / tensor.cells).toFixed(1)
      rows.push([`${name} rank ${rank}`, perCell(best[0]), perCell(best[1]), `${(best[0] / best[1]).toFixed(2)}×`])
      say(rows[rows.length - 1].join('  '))
    }
    for (const session of sessions) await session.close()
  }
  return table(['pass', 'double, ns/cell', 'single', 'speed-up'], rows)
}

const [what = 'passes', ...names] = process.argv.slice(2)
if (what === 'passes')
  console.log(await singlePasses(names.length > 0 ? names : Object.keys(DATA), [4, 8, 10, 12, 16, 20, 32, 64]))

/** Seconds of the processor, which other work on the machine does not add to. */
const seconds = (): number => process.cpuUsage().user / 1e6

/** Whole searches by default in both precisions, in turns, on one thread; the best time of several rounds. */
const searches = async (
  name: string,
  rank: number,
  seeds: readonly number[],
  rounds: number,
  limits: { readonly maxPasses?: number },
): Promise<void> => {
  const tensor = toTensor(DATA[name]())
  const session = await wasmEngine({ threads: 1 }).open(tensor)
  for (const seed of seeds) {
    const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const found: { loss: number; totalPasses: number; reason: string; double: number }[] = []
    for (let round = 0; round < rounds; round++) {
      for (const [i, precision] of (['double', 'single'] as const).entries()) {
        let double = 0
        const pass: Session['pass'] = (...all) => {
          double++
          return session.pass(...all)
        }
        const began = seconds()
        const { loss, totalPasses, reason } = await fit({ ...session, pass }, { rank, seed, precision, ...limits })
        best[i] = Math.min(best[i], seconds() - began)
        found[i] = { loss, totalPasses, reason, double }
      }
    }
    const [a, b] = found
    say(
      `${name} rank ${rank} seed ${seed}: ${best[0].toFixed(1)} s → ${best[1].toFixed(1)} s (${(best[0] / best[1]).toFixed(2)}×); passes ${a.totalPasses} → ${b.totalPasses}, ${b.double} in double; loss ${a.loss.toFixed(3)} ${(b.loss - a.loss).toExponential(1)} (${((b.loss - a.loss) / Math.abs(a.loss)).toExponential(1)}); ${a.reason} ${b.reason}`,
    )
  }
  await session.close()
}

if (what === 'search') {
  const [name, rank, seeds, rounds = 1, maxPasses] = names
  const limits = maxPasses === undefined ? {} : { maxPasses: Number(maxPasses) }
  await searches(name, Number(rank), seeds.split(',').map(Number), Number(rounds), limits)
}
