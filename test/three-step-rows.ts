const YES = [
  [0.85, 0.2],
  [0.8, 0.25],
  [0.7, 0.25],
  [0.8, 0.3],
]

/**
 * 800 weighted rows of two classes that depend on a number and on categories, and by which an outcome differs; answers and numbers are missing
 * here and there. Rows are in 40 clusters of two strata.
 */
export const threeStepRows = (() => {
  // Park and Miller's generator: another program can draw the same data.
  let state = 4242
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  return Array.from({ length: 800 }, (_, i) => {
    const [x, g] = [Math.floor(5 * uniform()), 'abc'[Math.floor(3 * uniform())]]
    const eta = -1.2 + 0.7 * x + (g === 'b' ? 0.8 : 0) - 0.15 * x * x * (g === 'c' ? 1 : 0)
    const k = uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0
    const answers = YES.map(yes => {
      const [u, missing] = [uniform(), uniform() < 0.06]
      return missing ? null : u < yes[k] ? 'yes' : 'no'
    })
    const w = [1, 1, 2.5, 0.5][Math.floor(4 * uniform())]
    const y = 2 * k + 0.5 * x + 2 * (uniform() + uniform() + uniform() - 1.5)
    const category = y < 1.5 ? 'low' : y < 3 ? 'middle' : 'high'
    return { answers, x: i % 17 === 0 ? null : x, g, w, y, category, cluster: `c${i % 40}`, stratum: i % 2 }
  })
})()
