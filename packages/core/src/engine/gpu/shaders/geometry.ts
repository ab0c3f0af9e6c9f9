/**
 * How a row of one number per class is held: by `lanes` neighbouring invocations, each with `each` vectors of four classes. Lane l
 * holds the vectors l, lanes + l, 2·lanes + l, … of the row, so that the lanes of a row read one stretch of memory.
 */
export interface Geometry {
  readonly rank: number
  /** A power of two. */
  readonly lanes: number
  readonly each: number
  /** Vectors in a row: the rank in fours, padded to lanes · each. What is padded is zero. */
  readonly stride: number
}

/** The highest rank of which a row fits into the registers of 32 lanes. */
export const MOST_RANK = 256

/** What one more vector in a lane costs, as a part: fewer lanes read less side by side. */
const DEEPER = 0.1

/**
 * The lanes for a rank: little padding, and few vectors in a lane.
 * @param most the lanes that can add up among each other: the size of a subgroup, or 1 where there are none
 */
export const geometryOf = (rank: number, most: number): Geometry => {
  const vectors = Math.ceil(rank / 4)
  let best: Geometry | undefined
  let least = Number.POSITIVE_INFINITY
  for (let lanes = 1; lanes <= most && lanes < 2 * vectors; lanes *= 2) {
    const each = Math.ceil(vectors / lanes)
    const stride = lanes * each
    const cost = stride * (1 + DEEPER * (each - 1))
    if (cost <= least) {
      least = cost
      best = { rank, lanes, each, stride }
    }
  }
  return best!
}
