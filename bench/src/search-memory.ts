import { openSync, readSync } from 'node:fs'
import { fit, tensorFromColumns } from '../../packages/core/dist/index.js'

/**
 * In a process of its own, `node search-memory.js FILE CELLS RANK SIZES…`: a default search on the cells of a file, the indices of each
 * mode and then the values. Prints the bytes it takes at the peak, cells included, and its passes.
 */
const before = process.memoryUsage().rss
const [path, ...numbers] = process.argv.slice(2)
const [cells, rank, ...shape] = numbers.map(Number)
const file = openSync(path, 'r')
const read = <T extends Int32Array | Float64Array>(array: T): T => {
  readSync(file, array)
  return array
}
const columns = shape.map(() => read(new Int32Array(cells)))
const tensor = tensorFromColumns(columns, read(new Float64Array(cells)), { shape })
const { totalPasses } = await fit(tensor, { rank, seed: 1 })
process.stdout.write(`${process.resourceUsage().maxRSS * 1024 - before} ${totalPasses}`)
