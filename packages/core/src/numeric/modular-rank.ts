/**
 * The rank of a matrix of whole numbers modulo a prime, by elimination. Modulo a prime of this size a random matrix misses its
 * generic rank with a probability of about one in tens of millions, and no rounding is involved: there is no singular value
 * whose size would have to be judged.
 */

/** A prime below 2²⁶: the product of two remainders is exact in a double. */
export const PRIME = 67108859

/**
 * x modulo the prime, for 0 ≤ x < 2⁵³. The quotient is rounded, but never to the other side of a whole number: that was tried with every
 * multiple of the prime in this range, and with the number before it.
 */
export const modulo = (x: number): number => x - Math.floor(x * (1 / PRIME)) * PRIME

/** The rank of a matrix given by its rows, whose entries are remainders. The rows are used up. */
export const modularRank = (rows: Float64Array[]): number => {
  const columns = rows[0]?.length ?? 0
  let rank = 0
  for (let column = 0; column < columns && rank < rows.length; column++) {
    const found = rows.findIndex((row, i) => i >= rank && row[column] !== 0)
    if (found < 0) continue
    ;[rows[rank], rows[found]] = [rows[found], rows[rank]]
    const pivot = rows[rank]
    const scale = modularInverse(pivot[column])
    for (let i = rank + 1; i < rows.length; i++) {
      const row = rows[i]
      if (row[column] === 0) continue
      const factor = PRIME - modulo(row[column] * scale)
      for (let j = column; j < columns; j++) row[j] = modulo(row[j] + factor * pivot[j])
    }
    rank++
  }
  return rank
}

/** 1/x modulo the prime, by Fermat: the power of x that is two less than the prime. */
export const modularInverse = (x: number): number => {
  let [result, square] = [1, x]
  for (let power = PRIME - 2; power > 0; power = Math.floor(power / 2)) {
    if (power % 2 === 1) result = modulo(result * square)
    square = modulo(square * square)
  }
  return result
}
