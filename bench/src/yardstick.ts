import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { newStatistics } from '../../packages/core/dist/entries/engine.js'
import type { Parameters, Session, Tensor } from '../../packages/core/dist/index.js'
import { DATA, toTensor } from './data.js'
import { machine } from './machine.js'
import { startOf } from './passes.js'
import { writeRaw } from './raw.js'
import { table } from './table.js'

/** `npm run bench:yardstick [rounds]`: the kernels beside a C program that makes the same pass; writes bench/YARDSTICK.md. */
const RANKS = [8, 16, 32, 64]
const BUILDS = { 'C, 256 bits': ['-mavx2', '-mfma'], 'C, 128 bits': ['-msse4.2'] }
const ROUNDS = Number(process.argv[2] ?? 40)
const AGREE = 1e-10

const NOTES = `The program is [yardstick/pass.c](yardstick/pass.c), built by gcc -O3 with -mavx2 -mfma (vectors of 256 bits, fused multiply-add) and
with -msse4.2 (128 bits, as in WebAssembly).

**Compared**: one pass on one thread, in double precision, over the same cells (T3, 1000³, about two leaves to a fibre) from the same start:
all statistics and the log-likelihood. The log-likelihoods, and the sums of the squares of all statistics, agree to ${AGREE}; otherwise the run
fails. Both have the rank fixed at compile time, ours up to 16. Our time is that of a call of \`session.pass\`, so it includes copying
to and from the kernels' memory.

**Not compared**: the layout of the cells, threads, the step from statistics to a model. The C program handles three modes, no missing index and
no underflow, and adds up in the fastest order. The kernels handle any shape, and split the cells into lanes, so
any number of threads gives the same bits. The logarithms differ too: the C program calls the C library once per
cell; the kernels multiply probabilities first if the counts are small, which takes about a nanosecond (see "Where the time goes" in
[RESULTS.md](RESULTS.md)). Subtract "its log" to compare the rest.`

interface Pass {
  readonly nanos: number
  /** Those of the logarithm among them, where it is known. */
  readonly logNanos?: number
  readonly logLikelihood: number
  /** The sum of the squares of all statistics: whether the tables agree, in one number. */
  readonly squares: number
}

interface Contender {
  pass(): Promise<Pass>
  close(): unknown
}

/** The tensor as the C program reads it: sizes, where slices and fibres begin, labels, values. */
const writeCells = (path: string, { shape, cells, indices, values }: Tensor): void => {
  const [slice, label, leaf] = indices
  const begins = Array.from(slice.keys()).filter(c => c === 0 || slice[c] !== slice[c - 1] || label[c] !== label[c - 1])
  const sliceStart = new Int32Array(shape[0] + 1)
  for (const c of begins) sliceStart[slice[c] + 1]++
  for (let i = 0; i < shape[0]; i++) sliceStart[i + 1] += sliceStart[i]
  const fibreStart = Int32Array.from([...begins, cells])
  const labels = Int32Array.from(begins, c => label[c])
  writeRaw(path, [Int32Array.of(...shape, begins.length, cells), sliceStart, fibreStart, labels, leaf, values])
}

/** Our engine. */
const engineContender = (session: Session, parameters: Parameters): Contender => {
  const into = newStatistics(session.data.shape, parameters.rank)
  return {
    async pass() {
      const start = performance.now()
      const { logLikelihood, sizes, factors } = await session.pass(parameters, into)
      const nanos = 1e6 * (performance.now() - start)
      let squares = 0
      for (const sums of [sizes, ...factors]) for (const sum of sums) squares += sum * sum
      return { nanos, logLikelihood, squares }
    },
    close: () => undefined,
  }
}

/** The C program, kept alive: a pass for every line it is given. */
const programContender = (program: string, files: readonly string[]): Contender => {
  const child = spawn(program, files, { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async pass() {
      child.stdin.write('\n')
      const { value, done } = await answers.next()
      if (done) throw new Error(`${program} ended without an answer`)
      const [nanos, logNanos, logLikelihood, squares] = value.split(' ').map(Number)
      return { nanos, logNanos, logLikelihood, squares }
    },
    close: () => child.stdin.end(),
  }
}

/** The fastest pass of each, all taking turns and all giving the same sums. */
const race = async (contenders: readonly Contender[]): Promise<Pass[]> => {
  let best: Pass[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const passes: Pass[] = []
    for (const contender of contenders) passes.push(await contender.pass())
    for (const key of ['logLikelihood', 'squares'] as const) {
      const sums = passes.map(pass => pass[key])
      const agree = sums.every(sum => Math.abs(sum / sums[0] - 1) <= AGREE)
      if (!agree) throw new Error(`the programs disagree: ${key} is ${sums.join(', ')}`)
    }
    best = passes.map((pass, i) => (round > 0 && best[i].nanos <= pass.nanos ? best[i] : pass))
  }
  return best
}

const compiler = spawnSync('gcc', ['--version'], { encoding: 'utf8' })
if (compiler.status !== 0 || process.arch !== 'x64') {
  process.stderr.write('the yardstick needs gcc on an x64 machine: not here, so nothing is measured\n')
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'polyad-yardstick-'))
try {
  const tensor = toTensor(DATA.T3())
  writeCells(join(folder, 'cells'), tensor)
  const session = await wasmEngine({ threads: 1 }).open(tensor)
  const rows: string[][] = []
  for (const rank of RANKS) {
    const start = startOf(tensor, rank)
    writeRaw(join(folder, 'start'), [start.shares, ...start.factors])
    const source = fileURLToPath(new URL('../yardstick/pass.c', import.meta.url))
    const programs = Object.values(BUILDS).map((flags, i) => {
      const program = join(folder, `pass-${rank}-${i}`)
      execFileSync('gcc', ['-O3', ...flags, `-DRANK=${rank}`, source, '-o', program, '-lm'])
      return programContender(program, [join(folder, 'cells'), join(folder, 'start')])
    })
    const contenders = [engineContender(session, start), ...programs]
    const [ours, ...theirs] = await race(contenders)
    for (const contender of contenders) contender.close()
    const perCell = (nanos = 0) => (nanos / tensor.cells).toFixed(1)
    const costs = theirs.flatMap(({ nanos, logNanos }) => [perCell(nanos), perCell(logNanos)])
    const ratios = theirs.map(({ nanos }) => `${(ours.nanos / nanos).toFixed(2)}×`)
    rows.push([`rank ${rank}`, perCell(ours.nanos), ...costs, ...ratios])
    process.stderr.write(`${rows[rows.length - 1].join('  ')}\n`)
  }
  await session.close()
  const names = Object.keys(BUILDS)
  const head = ['T3', 'ours', ...names.flatMap(name => [name, 'its log']), ...names.map(name => `ours / ${name}`)]
  const text = table(head, rows)
  process.stdout.write(`\n${text}\n`)
  const intro = `${machine()}; ${compiler.stdout.split('\n')[0]}. Nanoseconds per cell, the best of ${ROUNDS} passes each, taken in turns.`
  writeFileSync(
    new URL('../YARDSTICK.md', import.meta.url),
    `# Compared with a C program\n\nPrinted by \`npm run bench:yardstick\`. ${intro}\n\n${text}\n\n${NOTES}\n`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
