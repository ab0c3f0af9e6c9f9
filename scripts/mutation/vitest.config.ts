import { readFileSync } from 'node:fs'
import type { ViteUserConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** Tests in one process, with the code that instrument.mjs made in place of the real one. */
const folder = process.env.POLYAD_MUTATION
const { code, tests } = JSON.parse(readFileSync(`${folder}/run.json`, 'utf8'))

const config: ViteUserConfig = {
  ...usual,
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id: string) => code[id] }],
  test: {
    ...usual.test,
    include: tests,
    runner: new URL('mutant-runner.mjs', import.meta.url).pathname,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    reporters: ['dot'],
  },
}

export default config
