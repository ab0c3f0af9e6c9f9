/** A function from a uniform number to a position, drawn in proportion to the given numbers. */
export const drawer = (sizes: Float64Array): ((uniform: number) => number) => {
  const sums = new Float64Array(sizes.length)
  let sum = 0
  let last = 0
  sizes.forEach((size, i) => {
    sum += size
    sums[i] = sum
    if (size > 0) last = i
  })
  return uniform => {
    const target = uniform * sum
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
