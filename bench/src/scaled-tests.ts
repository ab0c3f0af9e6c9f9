import { random } from '../../packages/core/dist/entries/numeric.js'
import { fitStructured, type Tensor, tensorFromRows } from '../../packages/core/dist/index.js'
import { countedRows, SAMPLES } from './sampled-groups.js'
import { table } from './table.js'

/**
 * `npm run bench:scaled-tests [samples] [seed]`: how often likelihood-ratio tests between groups reject what is true, scaled by the design of the
 * sample and as they are.
 */

const [samples, seed] = [Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 1)]
const LEVELS = [0.01, 0.05, 0.1]
/** 1%, 5% and 10% of χ², by degrees of freedom. */
const CRITICAL: Readonly<Record<number, readonly number[]>> = {
  1: [6.635, 3.841, 2.706],
  8: [20.09, 15.507, 13.362],
}
const say = (text: string) => process.stdout.write(`${text}\n`)

const rows: string[][] = []
for (const [name, drawn] of Object.entries(SAMPLES)) {
  const source = random(seed, 'data', Object.keys(SAMPLES).indexOf(name))
  const found = new Map<string, { scaled: number[]; plain: number[]; none: number; factor: number }>()
  for (let sample = 0; sample < samples; sample++) {
    const all = drawn(source)
    const of = (count: (weight: number) => number): Tensor => tensorFromRows(countedRows(all, count), { count: 'n' })
    const tensor = of(weight => weight)
    const clustered = all[0].cluster !== undefined
    const { groups } = await fitStructured(tensor, {
      ...{ rank: 2, groups: 'group', starts: 2, threads: 1 },
      ...(clustered
        ? { design: { cluster: 'cluster', stratum: 'stratum' } }
        : { squares: of(weight => weight * weight).values }),
    })
    for (const { model, within, degreesOfFreedom, statistic, scaling, pValue } of groups!.tests) {
      const key = `${model} within ${within}`
      const own = found.get(key) ?? { scaled: LEVELS.map(() => 0), plain: LEVELS.map(() => 0), none: 0, factor: 0 }
      found.set(key, own)
      if (pValue === undefined) own.none++
      own.factor += (scaling ?? 0) / samples
      LEVELS.forEach((level, i) => {
        if (pValue !== undefined && pValue < level) own.scaled[i]++
        if (statistic > CRITICAL[degreesOfFreedom][i]) own.plain[i]++
      })
    }
  }
  const share = (count: number) => `${((100 * count) / samples).toFixed(1)}%`
  for (const [test, { scaled, plain, none, factor }] of found)
    rows.push([name, test, factor.toFixed(2), ...scaled.map(share), ...plain.map(share), String(none)])
  say(name)
}
say('')
say(
  table(
    ['sample', 'test', 'mean scaling', ...LEVELS.map(level => `scaled, ${100 * level}%`), ...LEVELS.map(level => `as it is, ${100 * level}%`), 'no p'], // biome-ignore format: one list
    rows,
  ),
)
