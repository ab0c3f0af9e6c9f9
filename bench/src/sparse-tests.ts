import { random } from '../../packages/core/dist/entries/numeric.js'
import { bootstrap, fit, Mode, Model, tensorFromRows, testRanks } from '../../packages/core/dist/index.js'
import { table } from './table.js'

/**
 * `npm run bench:sparse-tests [samples] [of tests between ranks]` (0: none): how often bootstrap tests reject a true model, the fewer observations there
 * are for a cell of the table, or for a parameter: G², X² and Cressie–Read of the whole table, pairs of variables, and the test of a number of classes.
 */

const [samples, ranks] = [Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 100)]
/** P-values are then of 40 steps: 5, 10 and 20% are among them. */
const REPLICATES = 39
const LEVELS = [0.05, 0.1, 0.2]
const say = (text: string) => process.stdout.write(`${text}\n`)

/** Classes that are well apart: each has another frequent category of every item, and random differences between items. */
const truth = (classes: number, items: number, categories: number): Model => {
  const { uniform } = random(17, 'data', classes, items)
  const modes = Array.from({ length: items }, (_, n) => new Mode(`item${n + 1}`, categories))
  const columns = modes.map((_, n) =>
    Array.from({ length: classes }, (_, k) => {
      const often = (k + (n % classes < k ? 1 : 0)) % categories
      const raw = Array.from({ length: categories }, (_, j) => (j === often ? 2 : 0.3) + 0.5 * uniform())
      const sum = raw.reduce((a, b) => a + b, 0)
      return raw.map(each => each / sum)
    }),
  )
  return new Model(modes, {
    rank: classes,
    sizes: Float64Array.from({ length: classes }, (_, k) => 1 / (k + 2)),
    factors: columns.map(own => Float64Array.from({ length: categories * classes }, (_, i) => own[i % classes][Math.floor(i / classes)])), // biome-ignore format: one list
  })
}

const drawn = (model: Model, observations: number, seed: number) =>
  tensorFromRows(model.sample(observations, { seed }).rows, {
    modes: model.modes.map(({ name, size }) => ({ name, labels: Array.from({ length: size }, (_, j) => j) })),
  })

const share = (pValues: readonly number[], level: number): string =>
  `${((100 * pValues.filter(p => p <= level + 1e-12).length) / pValues.length).toFixed(1)}%`

const ofFit: string[][] = []
const TABLES = [[2, 6, 3, 100], [2, 6, 3, 400], [2, 5, 2, 250]] // biome-ignore format: a table
for (const [classes, items, categories, observations] of samples > 0 ? TABLES : []) {
  const model = truth(classes, items, categories)
  const found: Record<string, number[]> = { 'G²': [], 'X²': [], 'Cressie–Read': [], pairs: [] }
  for (let sample = 0; sample < samples; sample++) {
    const tensor = drawn(model, observations, 1000 + sample)
    const fitted = await fit(tensor, { rank: classes, starts: 5, threads: 1 })
    const options = { replicates: REPLICATES, starts: 2, seed: sample, threads: 1 }
    const tests = await bootstrap(tensor, fitted.model, options)
    found['G²'].push(tests.gSquared!.pValue)
    found['X²'].push(tests.chiSquared!.pValue)
    found['Cressie–Read'].push(tests.cressieRead!.pValue)
    found.pairs.push(...tests.pairs.map(({ pValue }) => pValue))
  }
  const cells = categories ** items
  for (const [name, pValues] of Object.entries(found))
    ofFit.push([
      `${items} items of ${categories}, n = ${observations}`,
      (observations / cells).toFixed(2),
      name,
      ...LEVELS.map(level => share(pValues, level)),
    ])
  say(ofFit.slice(-4).join('\n'))
}
if (samples > 0)
  say(`\n${table(['table', 'observations per cell', 'test', ...LEVELS.map(level => `at ${100 * level}%`)], ofFit)}`)

const ofRanks: string[][] = []
for (const [classes, items, observations] of [
  [3, 11, 100],
  [3, 11, 250],
]) {
  const model = truth(classes, items, 2)
  const pValues: number[] = []
  for (let sample = 0; sample < ranks; sample++) {
    const tensor = drawn(model, observations, 5000 + sample)
    const options = { rank: classes, replicates: REPLICATES, replicateStarts: 12, starts: 10, all: true, threads: 1 }
    pValues.push((await testRanks(tensor, { ...options, seed: sample })).pValue)
  }
  const parameters = classes + (classes + 1) * items
  ofRanks.push([
    `${classes} against ${classes + 1}, ${items} items of 2, n = ${observations}`,
    (observations / parameters).toFixed(1),
    ...LEVELS.map(level => share(pValues, level)),
  ])
  say(ofRanks.at(-1)!.join(', '))
}
say('')
say(table(['classes', 'observations per parameter', ...LEVELS.map(level => `at ${100 * level}%`)], ofRanks))
