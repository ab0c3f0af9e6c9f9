import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Words of every section of the Markdown files in a folder, counted. `words.csv` was made of Polyad's own documentation. */

export interface WordCount {
  readonly section: string
  readonly word: string
  readonly n: number
}

/** Words that any text has, and that say nothing of its topic. */
const COMMON = new Set(
  'about above after again all also and any are because been before below between both but by can cannot does each else every few first for from had has have how its into least less like may more most much must neither next nor not nothing one only other others over own same see several should since some such takes than that the their them then there these they this those though three through too two under until use used uses very was were what when where whether which while who with within without would you your'.split(
    ' ',
  ),
)

/** A plural as its singular: classes, categories, models. */
const singular = (word: string): string =>
  word.length < 5
    ? word
    : word
        .replace(/(ss|x|ch)es$/, '$1')
        .replace(/ies$/, 'y')
        .replace(/([^s])s$/, '$1')

/** Without links and signs. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/`[^`]*`|\]\([^)]*\)|<[^>]*>/g, ' ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map(singular)
    .filter(word => word.length > 2 && !COMMON.has(word))

/** Sections of at least 40 words; words that are in at least `least` of them. */
export const countWords = (folder: string, least = 4): WordCount[] => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /(?<!cli)\.md$/.test(file)).sort() // biome-ignore format: one chain
  const sections = files.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/```[\s\S]*?```/g, '')
    const [, ...parts] = `\n${text}`.split(/\n#{1,3} /)
    return parts.map(part => {
      const title = part.split('\n', 1)[0].replace(/[^\w' -]/g, '').trim() // biome-ignore format: one chain
      return { name: `${basename(file, '.md')}: ${title}`, words: wordsOf(part) }
    })
  })
  const long = sections.filter(({ words }) => words.length >= 40)
  const spread = new Map<string, number>()
  for (const { words } of long) for (const word of new Set(words)) spread.set(word, (spread.get(word) ?? 0) + 1)
  return long.flatMap(({ name: section, words }) => {
    const counts = new Map<string, number>()
    for (const word of words) if ((spread.get(word) ?? 0) >= least) counts.set(word, (counts.get(word) ?? 0) + 1)
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, n]) => ({ section, word, n }))
  })
}
