// @ts-check
// Compiles the kernels: writes the AssemblyScript of the fixed ranks, compiles all to WebAssembly, and embeds the bytes in a
// TypeScript module, so that neither a browser, a bundler nor Node needs a file beside the code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import asc from 'assemblyscript/asc'
import { fixedRankKernel } from '../packages/core/src/engine/wasm/kernels/fixed-rank.mjs'
import { anyMeasure, fixedMeasure } from '../packages/core/src/engine/wasm/kernels/measure.mjs'
import { tiledRankKernel } from '../packages/core/src/engine/wasm/kernels/tiled-rank.mjs'
import { inSingle } from '../packages/core/src/engine/wasm/kernels/tree.mjs'

const engine = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/core/src/engine')
const [wasm, sweeps] = ['wasm', 'sweeps'].map(name => join(engine, name))

/** The ranks that have kernels of their own; above them all ranks share the tiled ones. */
const RANKS = [2, 4, 6, 8, 10, 12, 14, 16]

/** @type {(1 | 2 | 'any')[]} */
const SUFFIXES = [1, 2, 'any']

/** Those that have kernels of their own in single precision, where vectors hold twice as many classes. */
const SINGLE_RANKS = RANKS.map(rank => 2 * rank).filter(rank => rank >= 16)

const kernels = [
  ...RANKS.flatMap(rank => SUFFIXES.map(suffix => fixedRankKernel(rank, suffix))),
  ...SUFFIXES.flatMap(suffix => [tiledRankKernel(suffix, 4), tiledRankKernel(suffix, 8)]),
  ...SINGLE_RANKS.flatMap(rank =>
    SUFFIXES.map(suffix => inSingle(fixedRankKernel(rank / 2, suffix), `rank${rank / 2}_`, `single${rank}_`)),
  ),
  ...SUFFIXES.flatMap(suffix =>
    /** @type {const} */ ([4, 8]).map(classes =>
      inSingle(tiledRankKernel(suffix, classes), `tiled${classes}_`, `singleTiled${2 * classes}_`),
    ),
  ),
  ...RANKS.map(fixedMeasure),
  anyMeasure(),
]

const source = `import { blockLogs, product_f32x4, product_f64x2, singleLogs, splat_f32x4, splat_f64x2, total_f32x4, total_f64x2, valuesOf, wordsOf } from '../blocks'
import { measureCarefully } from '../measure'
import * as C from '../../context'
${kernels.join('')}`

mkdirSync(join(wasm, 'kernels/generated'), { recursive: true })
mkdirSync(join(wasm, 'generated'), { recursive: true })
mkdirSync(join(sweeps, 'generated'), { recursive: true })
writeFileSync(join(wasm, 'kernels/generated/kernels.ts'), source)

/** Compiles an entry; returns its bytes. @param {string} entry @param {string[]} more */
const compile = async (entry, more = []) => {
  const flags = ['--runtime', 'stub', '--noAssert', '-O3', '--enable', 'simd', '--importMemory', '--memoryBase', '1024']
  let bytes = Buffer.alloc(0)
  const { error, stdout, stderr } = await asc.main([entry, ...flags, ...more, '--outFile', 'out.wasm'], {
    readFile: (name, base) => {
      try {
        return readFileSync(join(engine, base === '.' ? '' : base, name), 'utf8')
      } catch {
        return null
      }
    },
    writeFile: (_, contents) => {
      bytes = Buffer.from(contents)
    },
    listFiles: () => [],
  })
  process.stdout.write(stdout.toString())
  if (error) {
    process.stderr.write(stderr.toString())
    process.exit(1)
  }
  return bytes
}

writeFileSync(
  join(wasm, 'generated/kernels.ts'),
  `/** The compiled kernels, deflated, in base 64. Generated: do not edit. */
export const KERNELS = '${deflateRawSync(await compile('wasm/kernels/index.ts'), { level: 9 }).toString('base64')}'

/** The largest rank that has kernels of its own. */
export const FIXED_RANKS = ${RANKS[RANKS.length - 1]}

/** The same in single precision. */
export const SINGLE_RANKS = ${SINGLE_RANKS[SINGLE_RANKS.length - 1]}
`,
)

const shared = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65535']
writeFileSync(
  join(sweeps, 'generated/sweeps.ts'),
  `/** The compiled sweeps, in base 64: for the memory of one thread, and for one that threads share. Generated: do not edit. */
export const SWEEPS = '${(await compile('sweeps/kernels/sweeps.ts')).toString('base64')}'
export const SHARED_SWEEPS = '${(await compile('sweeps/kernels/sweeps.ts', shared)).toString('base64')}'
`,
)
