import type { ChartDataByKind, ChartMode } from '../packages/charts/src/index.ts'

/** Small data for every kind of chart. `text` is put through for every name and label, so that they can be made hostile. */
export const chartSamples = (text: (plain: string) => string = plain => plain): ChartDataByKind => {
  const classes = [
    { name: text('engaged'), share: 0.5 },
    { name: text('distant'), share: 0.3 },
    { name: text('silent'), share: 0.2 },
  ]
  const mode = (name: string, labels: readonly string[], ordered: boolean, first = 0.5): ChartMode => {
    const probabilities = classes.map((_, k) => {
      const weights = labels.map((_, j) => first ** ((j + k) % labels.length))
      const sum = weights.reduce((a, b) => a + b)
      return weights.map(weight => weight / sum)
    })
    const marginal = labels.map((_, j) => classes.reduce((sum, { share }, k) => sum + share * probabilities[k][j], 0))
    return { name: text(name), labels: labels.map(text), ordered, probabilities, marginal }
  }
  const many = Array.from({ length: 20 }, (_, j) => `place ${j + 1}`)
  const vote = mode('vote', ['no', 'yes'], false)
  const intervals = vote.probabilities.map(each => each.map(p => [p * 0.9, Math.min(1, p * 1.1)] as const))
  const modes = [
    { ...vote, intervals },
    mode('trust', ['low', 'middle', 'high'], true),
    mode('paper', ['Times', 'Post', 'none'], false, 0.3),
    mode('place', many, false, 0.8),
    mode('day', many.map((_, j) => `2026-01-${String(j + 1).padStart(2, '0')}`), true, 0.9), // biome-ignore format: one list
  ]
  const points = [
    { probabilities: [0.9, 0.08, 0.02], count: 40 },
    { probabilities: [0.2, 0.7, 0.1], count: 25 },
    { probabilities: [0.1, 0.3, 0.6], count: 10 },
    { probabilities: [0.34, 0.33, 0.33], count: 1 },
  ]
  const pairs = modes.flatMap((a, i) =>
    modes.slice(i + 1).map((b, j) => ({ modes: [a.name, b.name] as const, residual: 0.4 + i * j * 2.5 })),
  )
  const waves = [[0.5, 0.3, 0.2], [0.47, 0.318, 0.212], [0.4545, 0.3124, 0.2331]] // biome-ignore format: a matrix
  const change = {
    classes,
    waves: waves.map((sizes, t) => ({ name: text(`spring ${2020 + t}`), sizes })),
    transitions: [
      [[0.8, 0.15, 0.05], [0.2, 0.75, 0.05], [0.05, 0.09, 0.86]],
      [[0.85, 0.1, 0.05], [0.17, 0.8, 0.03], [0.005, 0.05, 0.945]],
    ], // biome-ignore format: matrices
  }
  return {
    profiles: { classes, modes },
    top: { classes, modes: modes.slice(2, 4) },
    lines: {
      classes,
      measure: text('P[yes | class]'),
      items: ['vote', 'join', 'give', 'help'].map((name, i) => ({
        name: text(name),
        of: text('yes'),
        values: [0.9 - i * 0.1, 0.2 + i * 0.15, 0.1],
      })),
    },
    shares: { classes },
    posteriors: { classes, points },
    certainty: { classes, points, averagePosteriors: [[0.9, 0.08, 0.02], [0.2, 0.7, 0.1], null] }, // biome-ignore format: a matrix
    losses: {
      attempts: [
        { loss: 100, passes: 30, converged: true, origin: 'random' },
        { loss: 100.0001, passes: 44, converged: true, origin: 'recombined' },
        { loss: 103, passes: 12, converged: false, origin: 'random' },
      ],
      trace: [140, 120, 104, 100.5, 100.01, 100],
    },
    optima: {
      optima: [
        { loss: 100, reached: 12, converged: true },
        { loss: 103, reached: 2, converged: true },
        { loss: 190, reached: 1, converged: false },
      ],
    },
    criteria: {
      ranks: [1, 2, 3, 4],
      criteria: [
        { name: 'AIC', values: [900, 850, 838, 836] },
        { name: 'BIC', values: [910, 870, 868, 876] },
        { name: 'held-out', values: [2.5, null, 2.1, 2.2] },
      ],
      recommended: 3,
    },
    residuals: { modes: modes.map(({ name }) => name), pairs },
    time: { classes, mode: modes[4] },
    pairs: { classes, modes: [modes[3], modes[2]] },
    anomalies: {
      modes: modes.slice(0, 2).map(({ name }) => name),
      cells: [
        { labels: [text('yes'), text('low')], observed: 12, expected: 2.5, residual: 6 },
        { labels: [text('no'), text('high')], observed: 0, expected: 9, residual: -3 },
        { labels: [text('no'), text('low')], observed: 1, expected: 0.00001, residual: 316 },
      ],
    },
    drift: {
      classes: [
        ...classes.slice(0, 2).map(({ name, share }) => ({ name, before: share, after: share * 0.9 })),
        { name: text('newcomers'), before: null, after: 0.2 },
        { name: text('formerly'), before: 0.1, after: null },
      ],
      modes: modes.map(({ name }, n) => ({
        ...{ name, overall: 0.02 * n, distances: [0.05 * n, 0.3 / (n + 1), null, null] },
        ...{ added: n % 2, gone: n % 3 },
      })),
    },
    flows: change,
    transitions: change,
    mixes: {
      classes,
      groups: [
        { name: text('group class 1'), share: 0.7, mix: [0.62, 0.36, 0.02] },
        { name: text('group class 2'), share: 0.3, mix: [0.22, 0.16, 0.62] },
      ],
    },
    curves: {
      classes,
      curves: [
        {
          covariate: text('age'),
          points: [18, 40, 80].map(value => ({ value, probabilities: [value / 100, 0.9 - value / 100, 0.1] })),
        },
        {
          covariate: text('party'),
          points: ['left', 'right'].map(value => ({ value: text(value), probabilities: [0.2, 0.5, 0.3] })),
        },
      ],
    },
  }
}
