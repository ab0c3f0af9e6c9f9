// @ts-nocheck: it runs where nothing is installed, on what was built
// A whole default search of planted classes on a graphics device, beside the engine of the processor: node bench/gpu/search.mjs [events] [rank]
// SIDES=gpu,wasm says which sides run, SHAPE=1000,1000,1000 the labels.
import { gpu, load } from './load.mjs'

const { fit } = await load('fit/fit.js')
const { run } = await load('fit/descent/run.js')
const { mStepOf } = await load('fit/descent/m-step.js')
const { randomStart } = await load('model/random.js')
const { gpuEngine } = await load('engine/gpu/gpu-engine.js')
const { wasmEngine } = await load('engine/wasm/wasm-engine.js')
const { tensorFromColumns } = await load('tensor/coordinates.js')
const { random } = await load('numeric/philox.js')

const [events = 22e6, rank = 16] = process.argv.slice(2).map(Number)
const shape = (process.env.SHAPE ?? '1000,1000,1000').split(',').map(Number)
const sides = (process.env.SIDES ?? 'gpu,wasm').split(',')
const seed = Number(process.env.SEED ?? 1)

/** Events of planted classes: every class has its own stretch of the labels more often than the others, three times in four. */
const planted = () => {
  const draws = random(seed, 'data')
  const columns = shape.map(() => new Int32Array(events))
  const shares = Array.from({ length: rank }, (_, k) => 1 + (k % 3))
  const total = shares.reduce((a, b) => a + b)
  const ends = shares.map((_, k) => shares.slice(0, k + 1).reduce((a, b) => a + b) / total)
  for (let i = 0; i < events; i++) {
    const at = draws.uniform()
    let k = 0
    while (ends[k] < at) k++
    for (let n = 0; n < shape.length; n++) {
      const size = shape[n]
      const width = Math.ceil(size / 8)
      const first = Math.floor((((k * (2 * n + 1)) % rank) * size) / rank)
      const u = draws.uniform()
      columns[n][i] =
        draws.uniform() < 0.75 ? (first + Math.floor(width * u * u)) % size : Math.floor(size * draws.uniform())
    }
  }
  return columns
}

let at = performance.now()
const lap = () => {
  const now = performance.now()
  const seconds = ((now - at) / 1000).toFixed(2)
  at = now
  return `${seconds} s`
}
const columns = planted()
console.log(`${events} events drawn: ${lap()}`)
const tensor = tensorFromColumns(columns, undefined, { shape })
console.log(`${tensor.cells} cells: ${lap()}`)

const engines = { gpu: () => gpuEngine({ gpu }), wasm: () => wasmEngine() }
for (const side of sides) {
  at = performance.now()
  const session = await engines[side]().open(tensor)
  console.log(`${side}: placed: ${lap()}`)
  const found = await fit(session, { rank, seed: 1, precision: side === 'gpu' ? 'auto' : 'double' })
  console.log(
    `${side}: default search: ${lap()}, loss ${found.loss.toFixed(1)}, ${found.totalPasses} passes, ${found.reason}, stationarity ${found.stationarity.toExponential(1)}, ${found.verdict.level ?? JSON.stringify(found.verdict).slice(0, 200)}`,
  )
  if (side === 'gpu') {
    // One accelerated run, everything included, against its kernels.
    const { single } = session
    const start = randomStart(shape, rank, 3, 0)
    const steps = shape.map(() => mStepOf({ added: 0, width: 0 }))
    const timed = async maxPasses => {
      const stopping = { tolerance: 0, stationarity: 0, minGain: 0, maxPasses }
      const before = performance.now()
      const { passes } = await run(single, start, { stopping, algorithm: 'accelerated', steps, rough: true })
      return { passes, time: performance.now() - before }
    }
    await timed(40)
    const [short, long] = [await timed(40), await timed(120)]
    const { passes } = long
    const each = long.time / passes
    const further = (long.time - short.time) / (passes - short.passes)
    const pass = await single.cardPass(rank)
    const times = 50
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5; i++) {
      const began = performance.now()
      for (let j = 0; j < times; j++) session.single.card.submit(pass.steps)
      await session.single.card.device.queue.onSubmittedWorkDone()
      best = Math.min(best, (performance.now() - began) / times)
    }
    console.log(
      `gpu: a pass of an accelerated run ${each.toFixed(2)} ms over ${passes} passes, further ones ${further.toFixed(2)} ms, its kernels ${best.toFixed(2)} ms: ${(each / best).toFixed(2)} and ${(further / best).toFixed(2)} times`,
    )
  }
  await session.close()
}
process.exit(0)
