import { random } from '../../packages/core/dist/entries/numeric.js'
import * as library from '../../packages/core/dist/index.js'
import { chooseRank, type Tensor } from '../../packages/core/dist/index.js'
import { between, draw, shapes, survey } from './draw.js'
import { inBuilds } from './other-build.js'
import { table } from './table.js'

/**
 * `npm run bench:rank [problem [first seed [seeds]]]`: how long it takes to compare numbers of classes, and what is recommended. With
 * POLYAD_OLD, the folder of another build's packages/core/dist, both are run on the same problems in turn. `recommendations` as the problem
 * compares what is recommended with what searches of all numbers recommend, on small random problems, `tests` the bootstrap tests of two builds, and `fits` their fits of
 * more classes than there are.
 */
const [only = '', first = '101', count = '1'] = process.argv.slice(2)
const seeds = Array.from({ length: Number(count) }, (_, i) => Number(first) + i)
const builds = await inBuilds('index.js', library)
const say = (text: string) => process.stdout.write(`${text}\n`)

const PROBLEMS: readonly [name: string, data: (seed: number) => Tensor][] = [
  ['100,000 × 20', seed => survey(100_000, 20, 2, 4, seed)],
  ['50,000 × 40', seed => survey(50_000, 40, 2, 4, seed)],
  ['Likert 2,000 × 60', seed => survey(2000, 60, 5, 3, seed)],
]

/** Processor time and time of work, in seconds. */
const timed = async <T>(work: () => Promise<T>) => {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const choice = await work()
  const { user, system } = process.cpuUsage(before)
  return { choice, processor: (user + system) / 1e6, seconds: (performance.now() - began) / 1000 }
}

const speed: (string | number)[][] = []
for (const [name, data] of PROBLEMS) {
  if (!name.includes(only)) continue
  for (const seed of seeds) {
    const tensor = data(seed)
    for (const [version, { chooseRank }] of builds) {
      const { choice, processor, seconds } = await timed(() => chooseRank(tensor, { seed }))
      const passes = choice.fits.map(({ result }) => result.totalPasses)
      const row = [`${name}, ${seed}, ${version}`, seconds.toFixed(1), processor.toFixed(1), passes.join(' ')]
      speed.push([...row, choice.recommended ?? '–', choice.fits.map(({ bic }) => bic.toFixed(1)).join(' ')])
      say(speed[speed.length - 1].join('   '))
    }
  }
}
if (speed.length > 0) say(`\n${table(['data', 's', 'processor s', 'passes', 'recommended', 'BIC'], speed)}`)

/** Answers of random classes to random items, large enough to be searched briefly. */
const drawn = (seed: number): Tensor => {
  const source = random(seed, 'data', 1)
  const truth = between(source, 2, 5)
  const shape = shapes(source, [10, 16], [2, 5])
  const observations = between(source, 1000, 4000)
  return draw(source, { shape, truth, observations, concentration: 0.5 + 3 * source.uniform() })
}

if ('recommendations'.startsWith(only) && only !== '') {
  const rows: (string | number)[][] = []
  for (const seed of seeds) {
    const tensor = drawn(seed)
    for (const by of ['bic', 'aic'] as const) {
      const options = { seed, by, folds: 0 }
      const some = await timed(() => chooseRank(tensor, options))
      const all = await timed(() => chooseRank(tensor, { ...options, thorough: true }))
      const passes = ({ choice }: typeof all) => choice.fits.reduce((sum, { result }) => sum + result.totalPasses, 0)
      const lost = some.choice.fits.map(({ result }, i) => result.loss - all.choice.fits[i].result.loss)
      rows.push([
        ...[`${seed}: ${tensor.cells} × ${tensor.shape.length}`, by],
        ...[some.choice.recommended ?? '–', all.choice.recommended ?? '–'],
        some.choice.fits.flatMap(({ rank, brief }) => (brief === true ? [rank] : [])).join(' '),
        Math.max(...lost).toFixed(2),
        ...[passes(some), passes(all), some.processor.toFixed(1), all.processor.toFixed(1)],
      ])
      say(rows[rows.length - 1].join('   '))
    }
  }
  const head = [
    'data',
    'by',
    'recommended',
    'thorough',
    'brief',
    'most units lost',
    'passes',
    'thorough',
    's',
    'thorough',
  ]
  say(`\n${table(head, rows)}`)
}

if ('tests'.startsWith(only) && only !== '') {
  const rows: (string | number)[][] = []
  for (const seed of seeds) {
    const source = random(seed, 'data', 2)
    const truth = between(source, 2, 4)
    const shape = shapes(source, [6, 9], [2, 4])
    const tensor = draw(source, { shape, truth, observations: between(source, 400, 1500), concentration: 0.7 })
    for (const rank of [truth - 1, truth]) {
      for (const [version, { testRanks }] of builds) {
        const { choice, processor } = await timed(() => testRanks(tensor, { rank, seed }))
        const { pValue, replicates, statistic, converged } = choice
        const figures = [statistic.toFixed(2), replicates, pValue.toFixed(4), converged, processor.toFixed(2)]
        rows.push([`${seed}: ${tensor.cells} × ${shape.length}, ${truth} classes, ${version}`, `${rank}`, ...figures])
      }
    }
  }
  say(`\n${table(['data', 'classes', 'statistic', 'replicates', 'p', 'converged', 'processor s'], rows)}`)
}
/** More classes than there are: a search of 4 where 3 are true. */
if ('fits'.startsWith(only) && only !== '') {
  const rows: (string | number)[][] = []
  for (const seed of seeds) {
    const tensor = survey(2000, 60, 5, 3, seed)
    for (const [version, { fit }] of builds) {
      const { choice, processor, seconds } = await timed(() => fit(tensor, { rank: 4, seed }))
      rows.push([
        `${seed}, ${version}`,
        seconds.toFixed(1),
        processor.toFixed(1),
        choice.totalPasses,
        choice.loss.toFixed(2),
      ])
      say(rows[rows.length - 1].join('   '))
    }
  }
  say(`\n${table(['Likert 2,000 × 60, 4 classes', 's', 'processor s', 'passes', 'loss'], rows)}`)
}
process.exit(0)
