import { type Tensor, tensorFromRows } from '../packages/core/src/index.ts'

/**
 * R 4.2.2, survey 4.1.1, on 240 rows of 24 clusters in two strata, of which one cluster weighs nothing:
 * i <- 0:239; c <- i %% 24; h <- ifelse(c < 12, "n", "s"); u <- function(s) ((i*(7919+131*s) + i^2*(13+29*s) + i^3*(5+s) + s*331) %% 1009)/1009
 * a <- floor(3*u(1)); b <- (u(2) < 0.3 + 0.1*a + 0.2*(c %% 3 == 0)) + 0; e <- (u(3) < 0.35 + 0.2*b + 0.15*(c %% 4 == 0)) + 0; w <- ifelse(c == 5, 0, 1 + (i*5) %% 4)
 */
export const drawnRow = (i: number) => {
  const u = (s: number) =>
    ((i * (7919 + 131 * s) + i * i * (13 + 29 * s) + i * i * i * (5 + s) + s * 331) % 1009) / 1009
  const c = i % 24
  const a = Math.floor(3 * u(1))
  const b = u(2) < 0.3 + 0.1 * a + (c % 3 === 0 ? 0.2 : 0) ? 1 : 0
  const e = u(3) < 0.35 + 0.2 * b + (c % 4 === 0 ? 0.15 : 0) ? 1 : 0
  return { a: `a${a}`, b: `b${b}`, e: `e${e}`, c, w: 1 + ((i * 5) % 4) }
}

const rows = Array.from({ length: 240 }, (_, i) => {
  const { c, w, ...answers } = drawnRow(i)
  return { ...answers, c: `c${c}`, h: c < 12 ? 'n' : 's', w: c === 5 ? 0 : w }
})

/** Those that weigh something. */
export const weighed = rows.filter(({ w }) => w > 0)
export const mean = weighed.reduce((sum, { w }) => sum + w, 0) / weighed.length

/** Counts of some of the columns, each row as much as it weighs, by default. */
export const designRows = (modes: readonly string[], value: (w: number) => number = w => w): Tensor =>
  tensorFromRows(weighed.map(row => ({ ...row, y: value(row.w / mean) })) as never, { modes: [...modes], count: 'y' })
export const design = { cluster: 'c', stratum: 'h', sizes: { n: 12, s: 12 } }
