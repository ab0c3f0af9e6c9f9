/** One page of PDF (1.4) as bytes, whatever is drawn on it: no Node, for browsers too. */

/** A stream with what its dictionary says besides its length. */
export interface PdfStream {
  readonly dictionary: string
  readonly bytes: Uint8Array
}

export interface PdfPage {
  /** In points of 1/72 inch. */
  readonly width: string
  readonly height: string
  /** The dictionary of what its content refers to. */
  readonly resources: string
  /** What is drawn, as operators. */
  readonly content: PdfStream
  /** What the resources refer to, as `6 0 R`, `7 0 R`, … */
  readonly more?: readonly PdfStream[]
}

/** A text of PDF: Unicode, as two bytes for each unit. */
const pdfText = (text: string): string =>
  `<FEFF${[...Array(text.length).keys()].map(i => text.charCodeAt(i).toString(16).padStart(4, '0')).join('')}>`

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, letter => letter.charCodeAt(0))

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * A PDF file of one page.
 * @example
 * const content = { dictionary: '', bytes: new TextEncoder().encode('0 0 10 10 re f') }
 * pdfFile('A square', { width: '20', height: '20', resources: '<< >>', content }).length > 400 // true
 */
export const pdfFile = (title: string, { width, height, resources, content, more = [] }: PdfPage): Uint8Array => {
  const stream = ({ dictionary, bytes }: PdfStream) =>
    joined([bytesOf(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`), bytes, bytesOf('\nendstream')])
  const objects: (string | Uint8Array)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources ${resources} /Group << /S /Transparency /CS /DeviceRGB >> >>`,
    stream(content),
    `<< /Title ${pdfText(title)} /Producer ${pdfText('Polyad')} >>`,
    ...more.map(stream),
  ]
  const parts = [bytesOf('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n')]
  let end = parts[0].length
  const starts = objects.map((object, i) => {
    const start = end
    const own = joined([
      bytesOf(`${i + 1} 0 obj\n`),
      typeof object === 'string' ? bytesOf(object) : object,
      bytesOf('\nendobj\n'),
    ])
    parts.push(own)
    end += own.length
    return start
  })
  const table = starts.map(start => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    bytesOf(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${end}\n%%EOF\n`,
    ),
  )
  return joined(parts)
}
