// @ts-check
// Compiles the kernels: writes the AssemblyScript of the fixed ranks, compiles all to WebAssembly, and embeds the bytes in a
// TypeScript module, so that neither a browser, a bundler nor Node needs a file beside the code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { fixedRankKernel } from '../packages/core/src/engine/wasm/kernels/fixed-rank.mjs'
import { anyMeasure, fixedMeasure } from '../packages/core/src/engine/wasm/kernels/measure.mjs'
import { tiledRankKernel } from '../packages/core/src/engine/wasm/kernels/tiled-rank.mjs'

const wasm = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/core/src/engine/wasm')

/** The ranks that have kernels of their own; above them all ranks share the tiled ones. */
const RANKS = [2, 4, 6, 8, 10, 12, 14, 16]

/** @type {(1 | 2 | 'any')[]} */
const SUFFIXES = [1, 2, 'any']

const kernels = [
  ...RANKS.flatMap(rank => SUFFIXES.map(suffix => fixedRankKernel(rank, suffix))),
  ...SUFFIXES.flatMap(suffix => [tiledRankKernel(suffix, 4), tiledRankKernel(suffix, 8)]),
  ...RANKS.map(fixedMeasure),
  anyMeasure(),
]

const source = `import { blockLogs, valuesOf, wordsOf } from '../blocks'
import { measureCarefully } from '../measure'
import * as C from '../../context'
${kernels.join('')}`

mkdirSync(join(wasm, 'kernels/generated'), { recursive: true })
mkdirSync(join(wasm, 'generated'), { recursive: true })
writeFileSync(join(wasm, 'kernels/generated/kernels.ts'), source)

const flags = ['--runtime', 'stub', '--noAssert', '-O3', '--enable', 'simd', '--importMemory', '--memoryBase', '1024']
const { error, stdout, stderr } = await asc.main(
  ['kernels/index.ts', ...flags, '--outFile', 'generated/kernels.wasm'],
  {
    readFile: (name, base) => {
      try {
        return readFileSync(join(wasm, base === '.' ? '' : base, name), 'utf8')
      } catch {
        return null
      }
    },
    writeFile: (name, contents) => writeFileSync(join(wasm, name), contents),
    listFiles: () => [],
  },
)
process.stdout.write(stdout.toString())
if (error) {
  process.stderr.write(stderr.toString())
  process.exit(1)
}
const bytes = readFileSync(join(wasm, 'generated/kernels.wasm'))
writeFileSync(
  join(wasm, 'generated/kernels.ts'),
  `/** The compiled kernels, ${bytes.length} bytes in base 64. Generated: do not edit. */
export const KERNELS = '${bytes.toString('base64')}'

/** The largest rank that has kernels of its own. */
export const FIXED_RANKS = ${RANKS[RANKS.length - 1]}
`,
)
