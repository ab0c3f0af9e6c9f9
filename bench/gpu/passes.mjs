// @ts-nocheck: it runs where nothing is installed, on what was built
// Times of whole passes on a graphics device: node bench/gpu/passes.mjs [problem …]

import { gpu, load } from './load.mjs'

const { openCard } = await load('engine/gpu/device.js')
const { openCardSession } = await load('engine/gpu/session.js')
const { randomStart } = await load('model/random.js')

/** Cells with skewed labels, sorted by the first mode; not distinct, which a pass does not mind. */
const problem = (shape, cells, seed = 1) => {
  const state = BigInt(seed) * 0x9e3779b97f4a7c15n
  let a = Number(state & 0xffffffffn) >>> 0 || 1
  let b = 362436069
  let c = 521288629
  let d = 88675123
  const next = () => {
    const t = (a ^ (a << 11)) >>> 0
    a = b
    b = c
    c = d
    d = (d ^ (d >>> 19) ^ t ^ (t >>> 8)) >>> 0
    return d / 4294967296
  }
  const skewed = size => Math.min(size - 1, Math.floor(size * next() ** 2))
  const first = new Int32Array(cells)
  for (let i = 0; i < cells; i++) first[i] = skewed(shape[0])
  first.sort()
  const indices = shape.map((size, n) => {
    if (n === 0) return first
    const index = new Int32Array(cells)
    for (let i = 0; i < cells; i++) index[i] = skewed(size)
    return index
  })
  // Within a label of the first mode by the second, as the cells of a tensor are.
  for (let at = 0; at < cells; ) {
    let end = at + 1
    while (end < cells && first[end] === first[at]) end++
    indices[1].subarray(at, end).sort()
    at = end
  }
  const values = new Float64Array(cells).fill(1)
  const marginals = shape.map((size, n) => {
    const sums = new Float64Array(size)
    for (const label of indices[n]) sums[label]++
    return sums
  })
  return {
    modes: [],
    shape,
    cells,
    total: cells,
    missing: shape.map(() => false),
    marginals,
    indices,
    values,
    constants: {},
  }
}

const PROBLEMS = {
  '1000^3, 20 M cells': [[1000, 1000, 1000], 20e6],
  '100000^2 x 1000, 50 M cells': [[100_000, 100_000, 1000], 50e6],
  '1000000 x 200000 x 1000, 50 M cells': [[1_000_000, 200_000, 1000], 50e6],
  '300^4, 20 M cells': [[300, 300, 300, 300], 20e6],
  '100^6, 10 M cells': [[100, 100, 100, 100, 100, 100], 10e6],
}

const card = await openCard(undefined, gpu)
console.log(
  `${card.device.adapterInfo?.vendor} ${card.device.adapterInfo?.architecture} ${card.device.adapterInfo?.description}, ${card.lanes} lanes`,
)
const wanted = process.argv.slice(2)
const ranks = (process.env.RANKS ?? '16,32').split(',').map(Number)
for (const [name, [shape, cells]] of Object.entries(PROBLEMS)) {
  if (wanted.length > 0 && !wanted.some(each => name.includes(each))) continue
  let at = performance.now()
  const tensor = problem(shape, cells)
  const made = performance.now() - at
  at = performance.now()
  const session = await openCardSession(card, tensor, undefined)
  await card.device.queue.onSubmittedWorkDone()
  console.log(
    `${name}: made in ${(made / 1000).toFixed(1)} s, placed in ${((performance.now() - at) / 1000).toFixed(1)} s`,
  )
  for (const rank of ranks) {
    const parameters = randomStart(shape, rank, 1, 0)
    await session.pass(parameters)
    const pass = await session.cardPass(rank)
    // The clock of the card comes up in a second of work.
    const round = async times => {
      const start = performance.now()
      for (let i = 0; i < times; i++) card.submit(pass.steps)
      await card.device.queue.onSubmittedWorkDone()
      return (performance.now() - start) / times
    }
    at = performance.now()
    while (performance.now() - at < 1500) await round(20)
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 10; i++) best = Math.min(best, await round(20))
    console.log(`  K=${rank}: ${best.toFixed(2)} ms a pass`)
  }
  await session.close()
}
process.exit(0)
