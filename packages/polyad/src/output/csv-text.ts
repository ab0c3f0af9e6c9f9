/** A field of a CSV file: in quotes where it must be. */
export const csvField = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (fields: readonly (string | number | null)[]): string => `${fields.map(csvField).join(',')}\n`
