/** Names of files that any system takes. */

const LONGEST = 80
/** What Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** A name without anything that means something to a system: folders, wildcards, control characters, dots at its ends. */
export const safeName = (name: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in it.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '')
  const short = [...plain]
    .slice(0, LONGEST)
    .join('')
    .replace(/[\s.]+$/, '')
  return RESERVED.test(short) ? `_${short}` : short
}

/** A name without its extension: survey.csv.gz → survey. */
export const stemOf = (name: string): string => {
  const safe = safeName(name)
  return safe.replace(/(\.(csv|tsv|txt|json|jsonl|ndjson|parquet|npz|polyad-project))?(\.gz)?$/i, '') || safe
}
