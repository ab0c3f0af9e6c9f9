import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomTensor } from '../../packages/core/dist/engine/conformance.js'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { interleaved } from './measure.js'
import { passOf, startOf } from './passes.js'
import { table } from './table.js'

const BUILDS: [string, string[]][] = [
  ['AVX2, FMA', ['-O3', '-mavx2', '-mfma', '-ffast-math']],
  ['SSE, no FMA', ['-O3', '-msse4.1', '-ffast-math']],
]

/** The pass in C beside ours, in turns, where the machine has a C compiler and vectors of that width. */
export const nativeTable = async (say: (text: string) => void): Promise<string> => {
  const source = fileURLToPath(new URL('../peers/pass.c', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'polyad-'))
  const tensor = randomTensor({ shape: [1000, 1000, 1000], cells: 2_000_000 })
  const rows: (string | number)[][] = []
  try {
    for (const rank of [10, 16, 32, 64]) {
      const programs = BUILDS.map(([, flags], i) => {
        const program = join(folder, `pass-${rank}-${i}`)
        execFileSync('cc', [...flags, `-DK=${rank}`, source, '-o', program])
        return program
      })
      const session = await wasmEngine({ threads: 1 }).open(tensor, rank)
      const work = passOf(session, startOf(tensor, rank), tensor)
      await interleaved([work], 3)
      const best = [Number.POSITIVE_INFINITY, ...programs.map(() => Number.POSITIVE_INFINITY)]
      for (let round = 0; round < 3; round++) {
        const ours = await interleaved([work], 5)
        best[0] = Math.min(best[0], (ours.best[0] * 1e6) / tensor.cells)
        programs.forEach((program, i) => {
          best[i + 1] = Math.min(best[i + 1], Number(execFileSync(program, { encoding: 'utf8' })))
        })
      }
      await session.close()
      const [ours, ...theirs] = best
      rows.push([
        `rank ${rank}`,
        ours.toFixed(1),
        ...theirs.flatMap(time => [time.toFixed(1), `${(ours / time).toFixed(2)}×`]),
      ])
      say(rows[rows.length - 1].join('  '))
    }
  } catch (error) {
    return `Not measured: ${(error as Error).message.split('\n')[0]}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return table(['ns/cell', 'Polyad', ...BUILDS.flatMap(([name]) => [`C, ${name}`, 'ratio'])], rows)
}
