/**
 * A number with so many digits after the point, at least and at most, and commas between thousands: as Intl writes it for American
 * English, which takes a tenth of a second to load. What is rounded is the number as it is written, so that 1.005 becomes 1.01.
 * @example
 * decimals(1234567.5, 0, 3) // '1,234,567.5'
 */
export const decimals = (value: number, least: number, most: number): string => {
  const [digits, fraction] = rounded(Math.abs(value), most)
  let kept = fraction.length
  while (kept > least && fraction[kept - 1] === '0') kept--
  const shown = `${fraction.slice(0, kept)}${'0'.repeat(Math.max(0, least - kept))}`
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${value < 0 ? '-' : ''}${grouped}${shown === '' ? '' : `.${shown}`}`
}

/** The digits before and after the point. */
const rounded = (value: number, most: number): readonly [string, string] => {
  const written = String(value)
  const [digits, fraction = ''] = (written.includes('e') ? value.toFixed(most) : written).split('.')
  if (fraction.length <= most) return [digits, fraction]
  const cut = digits + fraction.slice(0, most)
  const all = fraction[most] >= '5' ? String(BigInt(cut) + 1n).padStart(cut.length, '0') : cut
  return [all.slice(0, all.length - most), all.slice(all.length - most)]
}
