// @ts-check
// Compiles the kernels: writes the AssemblyScript of the fixed ranks, compiles all to WebAssembly, and embeds the bytes in a
// TypeScript module, so that neither a browser, a bundler nor Node needs a file beside the code.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import asc from 'assemblyscript/asc'
import { emissionKernel } from '../packages/core/src/engine/linked/kernels/cells.mjs'
import { chainKernel } from '../packages/core/src/engine/linked/kernels/chain.mjs'
import { nestedKernel } from '../packages/core/src/engine/linked/kernels/groups.mjs'
import { LINKED_HEADER } from '../packages/core/src/engine/linked/kernels/loops.mjs'
import { fixedRankKernel } from '../packages/core/src/engine/wasm/kernels/fixed-rank.mjs'
import { anyMeasure, fixedMeasure } from '../packages/core/src/engine/wasm/kernels/measure.mjs'
import { tiledRankKernel } from '../packages/core/src/engine/wasm/kernels/tiled-rank.mjs'
import { inSingle } from '../packages/core/src/engine/wasm/kernels/tree.mjs'

const engine = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/core/src/engine')
const [wasm, sweeps, linked] = ['wasm', 'sweeps', 'linked'].map(name => join(engine, name))

/** The ranks that have kernels of their own; above them all ranks share the tiled ones. */
const SMALL_RANKS = [2, 4, 6, 8]
const LARGE_RANKS = [10, 12, 14, 16]

/** Those that have kernels of their own in single precision, where vectors hold twice as many classes. */
const SINGLE_RANKS = [16, 20, 24, 28, 32]

/**
 * The numbers of classes for which rows that belong together have kernels of their own.
 * @type {(number | 'any')[]}
 */
const LINKED_RANKS = [...SMALL_RANKS, 'any']

/** @type {(1 | 2 | 'any')[]} */
const SUFFIXES = [1, 2, 'any']

/** @param {number} rank */
const fixed = rank => SUFFIXES.map(suffix => fixedRankKernel(rank, suffix))

/**
 * The kernels of each module. A program loads the first, which has what all share, and the others when it needs them: most fits have few
 * classes. A search of up to six takes ranks up to 16, but few of them.
 * @type {Record<string, string[]>}
 */
const PARTS = {
  small: SMALL_RANKS.flatMap(fixed),
  ...Object.fromEntries(LARGE_RANKS.map(rank => [`rank${rank}`, fixed(rank)])),
  tiled: SUFFIXES.flatMap(suffix => [tiledRankKernel(suffix, 4), tiledRankKernel(suffix, 8)]),
  measure: [...[...SMALL_RANKS, ...LARGE_RANKS].map(fixedMeasure), anyMeasure()],
  single: [
    ...SINGLE_RANKS.flatMap(rank =>
      SUFFIXES.map(suffix => inSingle(fixedRankKernel(rank / 2, suffix), `rank${rank / 2}_`, `single${rank}_`)),
    ),
    ...SUFFIXES.flatMap(suffix =>
      /** @type {const} */ ([4, 8]).map(classes =>
        inSingle(tiledRankKernel(suffix, classes), `tiled${classes}_`, `singleTiled${2 * classes}_`),
      ),
    ),
  ],
}

const INLINE = `import {
  isLow_f32x4, isLow_f64x2, lift_f32x4, lift_f64x2, logOfLifts, product_f32x4, product_f64x2, splat_f32x4, splat_f64x2, total_f32x4, total_f64x2,
  valuesOf, wordsOf
} from '../blocks'
import * as C from '../../context'

/** Where the memory is free: above the constants and buffers of the kernels. */
export function freeFrom(): usize {
  return __heap_base
}
`

/** What the first module has: the others import it, at the price of a call per block. */
const OWN = `import { blockLogs, singleLogs } from '../blocks'
import { measureCarefully } from '../measure'
export { blockLogs, singleLogs, measureCarefully }
`
const IMPORTED = `
// @ts-ignore: decorator
@external('kernels', 'blockLogs')
declare function blockLogs(ctx: usize, block: i32): f64
// @ts-ignore: decorator
@external('kernels', 'singleLogs')
declare function singleLogs(ctx: usize, block: i32): f64
// @ts-ignore: decorator
@external('kernels', 'measureCarefully')
declare function measureCarefully(words: usize, ctx: usize, y: f64, assigned: usize): f64
`

for (const folder of [
  ...[wasm, linked].map(each => join(each, 'kernels/generated')),
  ...[wasm, sweeps, linked].map(each => join(each, 'generated')),
]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
for (const [part, kernels] of Object.entries(PARTS))
  writeFileSync(
    join(wasm, `kernels/generated/${part}.ts`),
    (part === 'small' ? OWN + INLINE : INLINE + IMPORTED) + kernels.join(''),
  )

writeFileSync(
  join(linked, 'kernels/generated/linked.ts'),
  LINKED_HEADER + LINKED_RANKS.flatMap(rank => [emissionKernel(rank), chainKernel(rank), nestedKernel(rank)]).join(''),
)

/** Compiles an entry; returns its bytes. @param {string} entry @param {number} base where its constants begin in the memory @param {string[]} more */
const compile = async (entry, base, more = []) => {
  const flags = ['--runtime', 'stub', '--noAssert', '-O3', '--enable', 'simd', '--importMemory']
  let bytes = Buffer.alloc(0)
  const { error, stdout, stderr } = await asc.main(
    [entry, ...flags, '--memoryBase', `${base}`, ...more, '--outFile', 'out.wasm'],
    {
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
    },
  )
  process.stdout.write(stdout.toString())
  if (error) {
    process.stderr.write(stderr.toString())
    process.exit(1)
  }
  return bytes
}

/** The end of what a module keeps in the memory for itself. @param {Buffer<ArrayBuffer>} bytes */
const endOf = async bytes => {
  const memory = new WebAssembly.Memory({ initial: 16 })
  const nothing = () => 0
  const kernels = { blockLogs: nothing, singleLogs: nothing, measureCarefully: nothing }
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory }, kernels })
  return /** @type {() => number} */ (instance.exports.freeFrom)()
}

// All modules work on one memory, so each has its constants above those of the one before.
let top = 1024
/** @type {Record<string, string>} */
const texts = {}
for (const part of Object.keys(PARTS)) {
  const bytes = await compile(part === 'small' ? 'wasm/kernels/index.ts' : `wasm/kernels/generated/${part}.ts`, top)
  top = Math.ceil((await endOf(bytes)) / 64) * 64
  texts[part] = deflateRawSync(bytes, { level: 9 }).toString('base64')
}

const GENERATED = 'Generated: do not edit.'
for (const [part, text] of Object.entries(texts))
  writeFileSync(
    join(wasm, `generated/${part}.ts`),
    `/** Compiled kernels, deflated, in base 64. ${GENERATED} */
export const KERNELS = '${text}'
`,
  )
const later = Object.keys(texts).filter(part => part !== 'small')
writeFileSync(
  join(wasm, 'generated/kernels.ts'),
  `/** The modules of kernels: the first is part of every program, the others are loaded when they are needed. ${GENERATED} */
import { KERNELS as small } from './small.ts'

/** The largest rank that is in the first module. */
export const SMALL_RANKS = ${Math.max(...SMALL_RANKS)}

/** The largest rank that has kernels of its own. */
export const FIXED_RANKS = ${Math.max(...LARGE_RANKS)}

/** The same in single precision. */
export const SINGLE_RANKS = ${Math.max(...SINGLE_RANKS)}

/** Where the memory is free: above the constants and buffers of all kernels. */
export const FREE_FROM = ${top}

/** The compiled kernels of each module. */
export const KERNELS = {
  small: async () => small,
${later.map(part => `  ${part}: async () => (await import('./${part}.ts')).KERNELS,\n`).join('')}}
`,
)
writeFileSync(
  join(wasm, 'generated/all.ts'),
  `/** All modules of kernels, for the script of worker threads. ${GENERATED} */
${Object.keys(texts)
  .map(part => `import { KERNELS as ${part} } from './${part}.ts'\n`)
  .join('')}
export const TEXTS = { ${Object.keys(texts).join(', ')} }
`,
)

const shared = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65535']
writeFileSync(
  join(sweeps, 'generated/sweeps.ts'),
  `/** The compiled sweeps, in base 64: for the memory of one thread, and for one that threads share. Generated: do not edit. */
export const SWEEPS = '${(await compile('sweeps/kernels/sweeps.ts', 1024)).toString('base64')}'
export const SHARED_SWEEPS = '${(await compile('sweeps/kernels/sweeps.ts', 1024, shared)).toString('base64')}'
`,
)

writeFileSync(
  join(linked, 'generated/linked.ts'),
  `/** The compiled kernels of rows that belong together, deflated, in base 64. Generated: do not edit. */
export const LINKED = '${deflateRawSync(await compile('linked/kernels/generated/linked.ts', 1024), { level: 9 }).toString('base64')}'
`,
)
