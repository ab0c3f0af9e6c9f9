/** log Γ by any logarithm: our own, for the same bits on every machine, or that of the platform. */

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]
export const HALF_LOG_TWO_PI = 0.9189385332046728

/** From here on, eight terms of the series of Stirling have the precision of a double. */
export const LARGE = 15

/** The series of Stirling: log Γ(z) less (z − ½)·log z − z + ½·log 2π, for a large z. */
export const stirlingSeries = (z: number): number => {
  const square = 1 / (z * z)
  let series = 0
  for (let i = STIRLING.length - 1; i >= 0; i--) series = series * square + STIRLING[i]
  return series / z
}

/** log Γ(x) for x > 0, with some logarithm: the series of Stirling, after the recurrence has moved a small argument to 15 or more. */
export const logGammaBy = (x: number, logarithm: (x: number) => number): number => {
  if (!(x > 0)) return x === 0 ? Number.POSITIVE_INFINITY : Number.NaN
  if (x === 1 || x === 2) return 0
  let product = 1
  let z = x
  while (z < LARGE) product *= z++
  const value = (z - 0.5) * logarithm(z) - z + HALF_LOG_TWO_PI + stirlingSeries(z)
  return product === 1 ? value : value - logarithm(product)
}
