// @ts-nocheck
// Coverage of 95% intervals of means, standard deviations, slopes and rates: `node bench/items/coverage.mjs [samples]`.
import { count, fit, normal, ordinal, standardErrors, tensorFromRows } from '@polyad/core'

const samples = Number(process.argv[2] ?? 200)

/** Park and Miller's generator. */
let state = 20251
const uniform = () => {
  state = (state * 48271) % 2147483647
  return state / 2147483647
}
const gauss = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
const poisson = mean => {
  let [n, p] = [0, Math.exp(-mean)]
  for (let u = uniform(); u > p && n < 1000; n++) {
    u -= p
    p *= mean / (n + 1)
  }
  return n
}
const rounded = (value, step) => Math.round(value / step) * step
const category = weights => {
  let left = uniform() * weights.reduce((a, b) => a + b)
  return weights.findIndex(weight => {
    left -= weight
    return left < 0
  })
}
const scale = slope => category([0, 0.6, 0.4, -0.4].map((a, j) => Math.exp(a + slope * j)))

/** What is true of a parameter, by the mode and its name and class (from 0). */
const designs = {
  'two classes, four numbers, n = 500': {
    items: {
      v0: normal({ step: 0.1 }),
      v1: normal({ step: 0.1 }),
      v2: normal({ step: 0.1 }),
      v3: normal({ step: 0.1 }),
    },
    row: () => {
      const k = uniform() < 0.4 ? 1 : 0
      return [0, 1, 2, 3].map(() => rounded(2.5 * k + (1 + 0.5 * k) * gauss(), 0.1))
    },
    n: 500,
    truth: (_, name, k) => (name === 'mean' ? 2.5 * k : 1 + 0.5 * k),
    order: 'mean',
  },
  'three classes, five numbers with one standard deviation, n = 600': {
    items: Object.fromEntries([0, 1, 2, 3, 4].map(n => [`v${n}`, normal({ step: 0.25, variances: 'equal' })])),
    row: () => {
      const k = category([5, 3, 2])
      return [0, 1, 2, 3, 4].map(() => rounded(2 * k + gauss(), 0.25))
    },
    n: 600,
    truth: (_, name, k) => (name === 'mean' ? 2 * k : 1),
    order: 'mean',
  },
  'two classes, five scales, n = 800': {
    items: Object.fromEntries([0, 1, 2, 3, 4].map(n => [`v${n}`, ordinal()])),
    row: () => {
      const k = uniform() < 0.4 ? 1 : 0
      return [0, 1, 2, 3, 4].map(() => scale(1.2 * k))
    },
    n: 800,
    truth: (_, name, k) => (name === 'slope' ? 1.2 * k : undefined),
    order: 'slope',
  },
  'two classes, three counts and a number, n = 500': {
    items: { v0: count(), v1: count(), v2: count(), v3: normal({ step: 0.1 }) },
    row: () => {
      const k = uniform() < 0.4 ? 1 : 0
      return [poisson(2 + 4 * k), poisson(1 + 2 * k), poisson(5 - 2 * k), rounded(10 + k + gauss(), 0.1)]
    },
    n: 500,
    truth: (mode, name, k) =>
      name === 'rate' ? [2 + 4 * k, 1 + 2 * k, 5 - 2 * k][mode] : name === 'mean' ? 10 + k : 1,
    order: 'rate',
  },
}

for (const [title, { items, row, n, truth, order }] of Object.entries(designs)) {
  /** By name of the parameter: intervals that hold the truth, and all. */
  const held = new Map()
  for (let sample = 0; sample < samples; sample++) {
    const rows = Array.from({ length: n }, row)
    const modes = rows[0].map((_, i) => `v${i}`)
    const data = tensorFromRows(rows, { modes })
    const rank = title.startsWith('three') ? 3 : 2
    const { model } = await fit(data, { rank, items, starts: 5, seed: 1 + sample, threads: 1 })
    const errors = await standardErrors(data, model)
    const first = (errors.items?.[0] ?? []).filter(({ name }) => name === order)
    // The classes in the order of the design, by the first variable.
    const places = first.map((_, k) => k).sort((a, b) => first[a].value - first[b].value)
    errors.items?.forEach((own, mode) => {
      own?.forEach(({ name, class: k, interval }) => {
        const class_ = k === undefined ? 0 : places.indexOf(k)
        let expected = truth(mode, name, class_)
        if (expected === undefined) return
        const [low, high] = interval ?? [Number.NaN, Number.NaN]
        if (name === 'slope') {
          // Slopes are against the first class of the model.
          if (interval === undefined) return
          expected = places.indexOf(k ?? 0) === 1 ? expected : -truth(mode, name, 1)
        }
        const [inside, all] = held.get(name) ?? [0, 0]
        held.set(name, [inside + (low <= expected && expected <= high ? 1 : 0), all + 1])
      })
    })
  }
  const parts = [...held].map(([name, [inside, all]]) => `${name} ${((100 * inside) / all).toFixed(1)}% of ${all}`)
  console.log(`${title}: ${parts.join(', ')}`)
}
