// @ts-nocheck
// Coverage of 95% intervals of models of persons over time and of groups: `node bench/linked/coverage.mjs [samples] [first]`.
import { fitStructured, standardErrors, tensorFromRows } from '@polyad/core'
import { groupRows, panelRows, percent, source, twoClasses } from './draw.mjs'

const [samples, first] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 1)]
const KINDS = ['sandwich', 'observed', 'empirical']

const two = { yes: twoClasses(4), initial: [0.6, 0.4], moves: [[[0.85, 0.15], [0.2, 0.8]], [[0.75, 0.25], [0.1, 0.9]], [[0.9, 0.1], [0.3, 0.7]]] } // biome-ignore format: a table
const THREE = [[0.9, 0.85, 0.9, 0.8, 0.85, 0.9], [0.85, 0.9, 0.2, 0.15, 0.8, 0.1], [0.15, 0.1, 0.2, 0.15, 0.1, 0.2]] // biome-ignore format: a table
const panel = { person: 'id', time: 'wave' }
const nested = { within: 'group', groupClasses: 2 }
const DESIGNS = {
  '300 persons, 4 waves, 4 items, 2 classes': [{ ...two, persons: 300, waves: 4 }, panel],
  'the same, 15% of answers missing': [{ ...two, persons: 300, waves: 4, lacking: 0.15 }, panel],
  '500 persons, 5 waves, 6 items, 3 classes, the same transitions at every step': [
    { persons: 500, waves: 5, yes: THREE, initial: [0.4, 0.35, 0.25], moves: [[[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.2, 0.75]]] }, // biome-ignore format: a table
    { ...panel, transitions: 'same' },
  ],
  '500 persons, 5 waves, 4 items, 2 classes, 30% stayers': [
    { persons: 500, waves: 5, yes: twoClasses(4), initial: [0.6, 0.4], moves: [[[0.6, 0.4], [0.35, 0.65]]], stayers: { share: 0.3, sizes: [0.5, 0.5] } }, // biome-ignore format: a table
    { ...panel, transitions: 'same', stayers: true },
  ],
  '50 groups of 20, 4 items, 2 classes in 2 classes of groups': [
    { groups: 50, members: 20, yes: twoClasses(4), sizes: [0.6, 0.4], mixes: [[0.8, 0.2], [0.3, 0.7]] }, // biome-ignore format: a table
    nested,
  ],
  '45 groups of 40, 4 items, 2 classes in 2 classes of groups, an effect of a covariate': [
    { groups: 45, members: 40, yes: twoClasses(4), sizes: [0.55, 0.45], mixes: [[0.85, 0.15], [0.5, 0.5]], slope: 0.6 }, // biome-ignore format: a table
    { ...nested, covariates: ['sex'] },
  ],
  '100 groups of 20, 6 items, 3 classes in 2 classes of groups': [
    { groups: 100, members: 20, yes: THREE, sizes: [0.55, 0.45], mixes: [[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]] }, // biome-ignore format: a table
    nested,
  ],
  '20 groups of 30, 4 items, 2 classes in 2 classes of groups': [
    { groups: 20, members: 30, yes: twoClasses(4), sizes: [0.6, 0.4], mixes: [[0.8, 0.2], [0.3, 0.7]] }, // biome-ignore format: a table
    nested,
  ],
}

/** The order of rows of a table that brings it nearest to the true one, by the first column. */
const order = (found, truth) => {
  const ranks = values => values.map((_, i) => i).sort((a, b) => values[b] - values[a])
  const [own, real] = [ranks(found), ranks(truth)]
  return truth.map((_, k) => own[real.indexOf(k)])
}

/** Lists of [what, estimated, true value]. */
const pairs = (design, { chain, nested: groups, effects }, places) => {
  const list = []
  if (design.slope !== undefined) {
    // With a covariate the tables are means, whose true values the design does not say.
    const { estimate, error } = effects[0].coefficients.find(({ term }) => term === 'sex')
    const interval = [estimate - 1.959964 * error, estimate + 1.959964 * error]
    return [['effect of the covariate', { interval }, places[0] === 0 ? design.slope : -design.slope]]
  }
  const row = (name, found, truth, of = places) =>
    truth.slice(0, -1).forEach((value, k) => void list.push([name, found[of[k]], value]))
  if (groups !== undefined) {
    const g = order(groups.mixes.map(mix => mix[places[0]].value), design.mixes.map(([share]) => share)) // biome-ignore format: one list
    row('sizes of group classes', groups.groupSizes, design.sizes, g)
    design.mixes.forEach((mix, i) => void row('class sizes within them', groups.mixes[g[i]], mix))
    return list
  }
  row('initial sizes', chain.initial, design.initial)
  chain.transitions.forEach((step, t) => {
    ;(design.moves[t] ?? design.moves[0]).forEach((move, k) => void row('transitions', step[places[k]], move))
  })
  if (design.stayers !== undefined) {
    list.push(['stayers', chain.stayers.share, design.stayers.share])
    row('sizes of stayers', chain.stayers.sizes, design.stayers.sizes)
  }
  // The class sizes at the last wave, by what is true of them.
  let sizes = design.initial
  for (let t = 1; t < design.waves; t++)
    sizes = sizes.map((_, k) =>
      sizes.reduce((sum, size, i) => sum + size * (design.moves[t - 1] ?? design.moves[0])[i][k], 0),
    )
  const { share, sizes: staying } = design.stayers ?? { share: 0, sizes: design.initial }
  row(
    'sizes at the last wave',
    chain.sizes.at(-1),
    sizes.map((size, k) => (1 - share) * size + share * staying[k]),
  )
  return list
}

console.log('| design | parameter | intervals | sandwich | observed | empirical |')
console.log('|---|---|---|---|---|---|')
for (const [i, [name, [design, links]]] of Object.entries(DESIGNS).entries()) {
  const held = new Map()
  for (let sample = first; sample < first + samples; sample++) {
    const draw = 'groups' in design ? groupRows : panelRows
    const data = tensorFromRows(draw(source(sample, 'coverage', i), design))
    const rank = design.yes.length
    const { linked, result } = await fitStructured(data, { ...links, rank, starts: 4, seed: sample, threads: 1 })
    const { model } = result
    const items = model.modes.map(mode => mode.indexOf('yes'))
    const share = (n, k) => model.profile(n, k)[items[n]]
    // Classes are told apart by all items: the first has most.
    const classes = design.yes.map((_, k) => k)
    const best = permutations(classes).map(places => [places, design.yes.reduce((sum, own, k) => sum + own.reduce((all, p, n) => all + Math.abs(p - share(n, places[k])), 0), 0)]).sort((a, b) => a[1] - b[1])[0][0] // biome-ignore format: one list
    for (const kind of KINDS) {
      const errors = kind === 'sandwich' ? linked.standardErrors : await standardErrors(linked.data, model, { kind })
      const all = pairs(design, errors, best)
      design.yes.forEach((own, k) => {
        own.forEach((value, n) => {
          all.push(['probabilities', { interval: errors.intervals?.factors[n][best[k]][items[n]] }, value])
        })
      })
      for (const [what, { interval }, value] of all) {
        const key = `${what}|${kind}`
        const [inside, count] = held.get(key) ?? [0, 0]
        held.set(key, [inside + (interval !== undefined && interval[0] <= value && value <= interval[1] ? 1 : 0), count + 1]) // biome-ignore format: one call
      }
    }
  }
  const names = [...new Set([...held.keys()].map(key => key.split('|')[0]))]
  names.forEach((what, at) => {
    const rates = KINDS.map(kind => held.get(`${what}|${kind}`))
    console.log(
      `| ${at === 0 ? name : ''} | ${what} | ${rates[0][1]} | ${rates.map(([inside, all]) => percent(inside / all)).join(' | ')} |`,
    )
  })
}

function permutations(list) {
  if (list.length < 2) return [list]
  return list.flatMap((each, i) => permutations(list.filter((_, j) => j !== i)).map(rest => [each, ...rest]))
}
