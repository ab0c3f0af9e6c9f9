import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { newStatistics } from '../../packages/core/dist/entries/engine.js'
import { drawRows, toTensor } from './data.js'
import { startOf } from './passes.js'

/** In a process of its own, `node memory.js CELLS`: prints the bytes a cell takes at the peak, from raw columns to a pass. */
const before = process.memoryUsage().rss
const tensor = toTensor(drawRows([1000, 1000, 1000], Number(process.argv[2]), 5))
const session = await wasmEngine({ threads: 1 }).open(tensor)
await session.pass(startOf(tensor, 10), newStatistics(tensor.shape, 10))
await session.close()
process.stdout.write(String((process.resourceUsage().maxRSS * 1024 - before) / tensor.cells))
