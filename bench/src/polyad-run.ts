import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { fit, Model } from '../../packages/core/dist/index.js'
import { componentsOf } from '../../packages/core/dist/model/parameters.js'
import { DATA, toTensor } from './data.js'
import { startOf } from './passes.js'

/**
 * One start of Polyad in a process of its own: `node polyad-run.js NAME RANK THREADS`. Prints a line of JSON: the loss after
 * every pass, seconds per pass (opening the session included in the first), peak memory.
 */
const [name, rank, threads] = process.argv.slice(2)
const tensor = toTensor(DATA[name]())
const run = async () => {
  const began = performance.now()
  const engine = wasmEngine({ threads: Number(threads) })
  let opened = began
  const timed = {
    name: engine.name,
    open: async (...args: Parameters<typeof engine.open>) => {
      const session = await engine.open(...args)
      opened = performance.now()
      return session
    },
  }
  const init = new Model(tensor.modes, componentsOf(startOf(tensor, Number(rank)), tensor.total))
  const { trace, passes } = await fit(tensor, { rank: Number(rank), init, engine: timed, maxPasses: 300 })
  const pass = (performance.now() - opened) / passes
  return { opening: (opened - began) / 1e3, pass: pass / 1e3, losses: [...trace] }
}
// Several runs, the best of them kept: the first ones warm up the compiler.
let best = await run()
const began = performance.now()
for (let i = 0; i < 6 && performance.now() - began < 20_000; i++) {
  const again = await run()
  if (again.opening + again.pass * again.losses.length < best.opening + best.pass * best.losses.length) best = again
}
const { opening, pass, losses } = best
const seconds = losses.slice(1).map((_, i) => pass + (i === 0 ? opening : 0))
process.stdout.write(JSON.stringify({ seconds, losses, memory: process.resourceUsage().maxRSS * 1024 }))
