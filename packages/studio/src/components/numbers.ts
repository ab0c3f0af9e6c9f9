/** Numbers as people read them: those of the report, and two that only the page has. */

export { count, counted, duration, fixed, levelText, percent, pValue, simulatedP } from 'polyad/numbers'

/** 12.3 M, 450 k. */
export const short = (n: number): string =>
  n.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** "12 KB", "3.4 MB". */
export const size = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  const [unit, scale] = bytes < 1e6 ? ['KB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9]
  const value = bytes / (scale as number)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}
