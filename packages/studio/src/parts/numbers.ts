/** Numbers as people read them. */

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** 3,869; weights may have a fraction. */
export const count = (n: number): string =>
  Number.isInteger(n) ? GROUPED.format(n) : n.toLocaleString('en-US', { maximumFractionDigits: 3 })

/** "1 row", "2,500 rows". */
export const counted = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`

/** 12.3 M, 450 k. */
export const short = (n: number): string =>
  n.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`

/** With so many digits after the point; a dash where there is none. */
export const fixed = (value: number | null | undefined, digits = 2): string =>
  value === null || value === undefined || !Number.isFinite(value)
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const pValue = (p: number | null | undefined): string =>
  p === null || p === undefined || !Number.isFinite(p) ? '–' : p < 0.0001 ? '< 0.0001' : p.toFixed(4)

/** "3 s", "2 min 5 s". */
export const duration = (seconds: number): string => {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds - 60 * minutes)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** "12 KB", "3.4 MB". */
export const size = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  const [unit, scale] = bytes < 1e6 ? ['KB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9]
  const value = bytes / (scale as number)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}
