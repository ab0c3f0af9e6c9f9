import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chooseRank, fit, fitCovariates, type Model } from '@polyad/core'
import { modelFromNpz } from '@polyad/core/file'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTensor } from '../../packages/polyad/src/index.ts'
import { asCommand, asProgram } from '../../packages/studio/src/state/fitting/same-as-code.ts'
import { scratchFolder } from '../run-polyad.ts'

/** What the studio says would do the same does the same: commands through a shell, programs through Node. */

const command = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))
const run = promisify(execFile)

const bitsOf = (model: Model) => [
  [...model.sizes],
  model.modes.map(({ name, labels }) => [name, labels]),
  model.parameters.factors.map(factor => [...factor]),
]

/** Names that shells, lists and JavaScript all take for something else. */
const NAMES = [`it's, "so"`, '-x $HOME `ls`', 'c\\d'] as const
const FILE = "-k it's $(data).csv"

const field = (text: string) => `"${text.replaceAll('"', '""')}"`

describe('the same as code', () => {
  const { folder, path, remove } = scratchFolder()
  const read = { modes: NAMES, count: 'n', missing: ['-9'] }
  const asked = { from: 2, to: 2, seed: 7, prior: 0.5, smoothing: null, maxSeconds: null, covariates: [] }

  beforeAll(() => {
    const rows = Array.from({ length: 240 }, (_, i) => {
      const half = i % 2
      return [(i * 7 + half) % 5 > 2 ? 'a' : 'b', (i * 3 + half) % 4 ? 'x' : '-9', half ? 'u' : 'v', i % 3, 1 + (i % 3)]
    })
    const header = [...NAMES, 'age', 'n'].map(field).join(',')
    writeFileSync(path(FILE), `${header}\n${rows.map(row => row.join(',')).join('\n')}\n`)
    mkdirSync(path('bin'))
    writeFileSync(path('bin/polyad'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`)
    chmodSync(path('bin/polyad'), 0o755)
  })
  afterAll(remove)

  const shell = (line: string) =>
    run('/bin/sh', ['-c', line], {
      cwd: folder,
      env: { ...process.env, PATH: `${path('bin')}${delimiter}${process.env.PATH}` },
    })

  it('as a command through a shell', async () => {
    await shell(`${asCommand(FILE, read, asked)} -o found.npz`)
    const { model } = modelFromNpz(new Uint8Array(readFileSync(path('found.npz'))))
    const { tensor } = await readTensor(path(FILE), read)
    expect(tensor.missing[1]).toBe(true)
    const own = await fit(tensor, { rank: 2, seed: 7, pseudoCounts: 0.5 })
    expect(bitsOf(model)).toEqual(bitsOf(own.model))
  })

  it('with covariates', async () => {
    const reading = { ...read, include: ['age'] }
    // Priors are not for explained classes.
    const explained = { ...asked, prior: 0, covariates: ['age'] }
    await shell(`${asCommand(FILE, reading, explained)} -o explained.npz`)
    const { model } = modelFromNpz(new Uint8Array(readFileSync(path('explained.npz'))))
    const { tensor } = await readTensor(path(FILE), reading)
    const own = await fitCovariates(tensor, { rank: 2, seed: 7, covariates: ['age'] })
    expect(bitsOf(model)).toEqual(bitsOf(own.model))
  })

  it('with covariates and several numbers of classes, of which one has nothing to explain', async () => {
    const reading = { ...read, include: ['age'] }
    const several = { ...asked, from: 1, to: 3, prior: 0, covariates: ['age'] }
    const { tensor } = await readTensor(path(FILE), reading)
    const { fits, recommended } = await chooseRank(tensor, { from: 1, to: 3, seed: 7, covariates: ['age'] })
    await shell(`${asCommand(FILE, reading, several)} -o several.npz`)
    const { model } = modelFromNpz(new Uint8Array(readFileSync(path('several.npz'))))
    expect(bitsOf(model)).toEqual(bitsOf(fits[recommended! - 1].result.model))
    const said = await running(asProgram(path(FILE), reading, several))
    expect(JSON.parse(said)).toEqual([recommended, fits.map(({ rank, bic }) => [rank, bic])])
  })

  /** What a program says, with the weights of its models instead of its own words. */
  const running = async (program: string): Promise<string> => {
    // Outside of any project, packages are named by where they are.
    const built = (name: string) =>
      JSON.stringify(new URL(`../../packages/${name}/dist/index.js`, import.meta.url).href)
    const text = program
      .replace("'@polyad/core'", built('core'))
      .replace("'polyad'", built('polyad'))
      .replace('console.log(verdict.text, model.shares)', 'console.log(JSON.stringify(model.sizes))')
      .replace(/console\.log\((recommended.*)\)/, 'console.log(JSON.stringify([$1]))')
    writeFileSync(path('same.mjs'), text)
    return (await run(process.execPath, [path('same.mjs')])).stdout
  }

  it('as a program', async () => {
    const stdout = await running(asProgram(path(FILE), read, asked))
    const { tensor } = await readTensor(path(FILE), read)
    const own = await fit(tensor, { rank: 2, seed: 7, pseudoCounts: 0.5 })
    expect(JSON.parse(stdout)).toEqual([...own.model.sizes])
  })
})
