import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A program that uses the library, as somebody would write it, and as bundlers make one file of it. */

/**
 * Large data on one thread and on three, and small data, whose runs go side by side: what `globalThis.outcome` has in the end. `engine` is
 * written into the program: options of the engine with threads.
 */
const program = (engine: string) => `
import { fit } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { randomTensor } from '@polyad/core/conformance'

const fitted = async (tensor, options, fitting) => {
  const session = await wasmEngine(options).open(tensor)
  const { model, loss, notes = [] } = await fit(session, fitting)
  const threads = session.sweeps !== undefined
  await session.close()
  const { shares, factors } = model.parameters
  return { numbers: [loss, ...shares, ...factors.flatMap(table => [...table])].join(), notes, threads }
}

const large = randomTensor({ shape: [3000, 2000, 70], cells: 100_000, missing: 0.01, real: true })
const small = randomTensor({ shape: [7, 8, 9, 10], cells: 3000 })

globalThis.outcome = (async () => {
  const engine = { threads: 3, ...${engine} }
  const alone = { threads: 1 }
  const few = { rank: 3, starts: 1, maxPasses: 6, seed: 4 }
  const search = { rank: 4, seed: 1, maxPasses: 8000 }
  const [one, several] = [await fitted(large, alone, few), await fitted(large, engine, few)]
  const [inTurn, sideBySide] = [await fitted(small, alone, search), await fitted(small, engine, search)]
  return {
    same: one.numbers === several.numbers && inTurn.numbers === sideBySide.numbers,
    threads: several.threads,
    notes: [...several.notes, ...sideBySide.notes],
  }
})()
`

export interface Outcome {
  readonly same: boolean
  /** Whether threads that share memory did the passes. */
  readonly threads: boolean
  readonly notes: readonly string[]
}

/** Writes the program as one file; gives it as text. */
export const bundled = async (
  entry: string,
  { format, engine = '{}', then = '' }: { format: 'esm' | 'cjs' | 'iife'; engine?: string; then?: string },
): Promise<string> => {
  writeFileSync(entry, program(engine) + then)
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    resolve: { modules: [fileURLToPath(new URL('../node_modules', import.meta.url))] },
    external: /^node:/,
  })
  const { output } = await bundle.generate({ format, codeSplitting: false })
  return output[0].code
}
