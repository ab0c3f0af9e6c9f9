/** A work to cite, and how it is written: as a line of a list of references, as BibTeX, and within a sentence. */
export interface Work {
  /** Of BibTeX: `akaike1974`. */
  readonly key: string
  /** Each as `Akaike, H.`; a name without a comma is that of a group. */
  readonly authors: readonly string[]
  readonly year: number
  readonly title: string
  readonly journal?: string
  readonly volume?: string
  readonly pages?: string
  /** Of a book. */
  readonly publisher?: string
  /** Of a conference. */
  readonly conference?: string
  /** Of a program. */
  readonly version?: string
}

const CURRENT_YEAR = 2026

/** Polyad itself. */
export const polyadWork = (version: string | null): Work => ({
  key: 'polyad',
  authors: ['The Polyad authors'],
  year: CURRENT_YEAR,
  title: 'Polyad: Latent class analysis and nonnegative tensor decomposition',
  ...(version !== null && { version }),
})

const isProgram = ({ journal, publisher, conference }: Work): boolean =>
  journal === undefined && publisher === undefined && conference === undefined

/** A line of a list of references. */
export const referenceText = (work: Work): string => {
  const { authors, year, title, journal, volume, pages, publisher, conference, version } = work
  const names =
    authors.length === 1 ? authors[0] : `${authors.slice(0, -1).join(', ')}, & ${authors[authors.length - 1]}`
  const head = `${names}${names.endsWith('.') ? '' : '.'} (${year}). ${title}`
  if (isProgram(work)) return `${head}${version === undefined ? '' : ` (Version ${version})`} [Computer software].`
  const place =
    journal === undefined
      ? (publisher ?? conference)
      : [journal, volume, pages].filter(part => part !== undefined).join(', ')
  return `${head}. ${place}.`
}

const surname = (author: string): string => author.split(',')[0]

/** Within a sentence: `Akaike, 1974`; from three authors on, the first of them. */
export const citation = ({ authors, year }: Work): string => {
  const [first, second] = authors.map(surname)
  const names = authors.length > 2 ? `${first} et al.` : authors.length === 2 ? `${first} & ${second}` : first
  return `${names}, ${year}`
}

const escaped = (text: string): string =>
  text.replaceAll('²', '$^2$').replaceAll('é', "{\\'e}").replaceAll('&', '\\&').replaceAll('–', '--')

/** An entry of a BibTeX file. */
export const bibtex = (work: Work): string => {
  const { key, authors, year, title, journal, volume, pages, publisher, conference, version } = work
  const [, number, issue] = /^(\w+)(?:\((\w+)\))?$/.exec(volume ?? '') ?? []
  const kind =
    journal !== undefined ? 'article' : publisher !== undefined ? 'book' : conference ? 'inproceedings' : 'misc'
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', authors.map(author => (author.includes(',') ? author : `{${author}}`)).join(' and ')],
    ['title', `{${title}}`],
    ['year', `${year}`],
    ['journal', journal],
    ['volume', number],
    ['number', issue],
    ['pages', pages],
    ['publisher', publisher],
    ['booktitle', conference],
    ['note', isProgram(work) ? `Computer software${version === undefined ? '' : `, version ${version}`}` : undefined],
  ]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${escaped(value)}}`]))
  return `@${kind}{${key},\n${lines.join(',\n')}\n}`
}
