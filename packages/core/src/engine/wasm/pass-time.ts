/** About how many nanoseconds a pass takes on one thread: a rough model, fitted to measurements. */
export const estimatedNanos = (cells: number, columns: number, rank: number): number =>
  cells * (2 + (0.25 * columns + 0.1) * Math.max(4, rank))
