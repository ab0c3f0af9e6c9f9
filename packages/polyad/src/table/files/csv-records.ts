/** The fields of the first records of separated text, with quotes and outer blanks taken off. Blank lines are skipped. */
export const firstRecords = (text: string, delimiter: string, most: number): string[][] => {
  const records: string[][] = []
  let fields: string[] = []
  let field = ''
  let quoted = false
  const endField = () => {
    fields.push(field.trim())
    field = ''
  }
  const endRecord = () => {
    endField()
    if (fields.length > 1 || fields[0] !== '') records.push(fields)
    fields = []
  }
  for (let i = 0; i < text.length && records.length < most; i++) {
    const letter = text[i]
    if (quoted) {
      if (letter !== '"') field += letter
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (letter === '"' && field.trim() === '') {
      field = ''
      quoted = true
    } else if (letter === delimiter) endField()
    else if (letter === '\n' || letter === '\r') endRecord()
    else field += letter
  }
  if (records.length < most) endRecord()
  return records
}

/** The fields of the first line. */
export const firstRecord = (text: string, delimiter: string): string[] =>
  firstRecords(/^[^\r\n]/.test(text) ? text : '', delimiter, 1)[0] ?? ['']

/** The fields of the first lines that are not blank, where any number of blanks separates. */
export const firstBlankRecords = (text: string, most: number): string[][] => {
  const records: string[][] = []
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() !== '') records.push(line.trim().split(/[ \t]+/))
    if (records.length === most) break
  }
  return records
}

/** The first line that ends differently from line 1; line breaks inside quotes are free. */
export const oddLineEnd = (text: string): number | undefined => {
  let [quoted, line] = [false, 1]
  let first: boolean | undefined
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted
    if (text[i] !== '\n') continue
    const windows = text[i - 1] === '\r'
    if (!quoted) first ??= windows
    if (!quoted && windows !== first) return line
    line++
  }
  return undefined
}

/** How the first line ends; line breaks inside quotes are free. Undefined where there is one line only. */
export const firstLineEnd = (text: string): '\n' | '\r\n' | '\r' | undefined => {
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted
    if (quoted) continue
    if (text[i] === '\n') return '\n'
    if (text[i] === '\r') return text[i + 1] === '\n' ? '\r\n' : '\r'
  }
  return undefined
}
