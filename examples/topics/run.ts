/**
 * `npm run example topics`: topics of the sections of a text, from counts of their words (two modes: probabilistic latent semantic analysis).
 * `npm run example topics -- OUTPUT FOLDER` counts the words of the Markdown files of a folder first.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { profilesData, topChart } from '@polyad/charts'
import { fit, tensorFromRows } from '@polyad/core'
import { outputFolder, percent, writeChart, writeCsv } from '../output.ts'
import { countWords } from './count-words.ts'

const output = outputFolder('topics')
const [, , , folder] = process.argv
if (folder !== undefined)
  writeCsv(
    output('words.csv'),
    countWords(folder).map(count => ({ ...count })),
  )
const source =
  folder === undefined ? fileURLToPath(new URL('../../topics/words.csv', import.meta.url)) : output('words.csv')
const [, ...lines] = readFileSync(source, 'utf8').trim().split('\n')
const rows = lines.map(line => {
  const [section, word, n] = line.split(',')
  return { section, word, n: Number(n) }
})

const counts = tensorFromRows(rows, { modes: ['section', 'word'], count: 'n' })
const [sections, words] = counts.shape
console.log(`${counts.total} words: ${words} different ones in ${sections} sections`)

// A little of every word in every topic: without it, most probabilities are 0.
const { model, verdict } = await fit(counts, { rank: 8, pseudoCounts: 0.01, starts: 20, seed: 1 })
console.log(`${verdict.text}\n`)

/** The labels that are most frequent in a class, beside how frequent they are overall. */
const marks = (mode: 'section' | 'word', k: number, many: number): string[] => {
  const n = mode === 'section' ? 0 : 1
  const overall = model.marginal(n)
  const inside = model.profile(n, k)
  // Log-likelihood of the label in the class against all classes: frequent, and more frequent than elsewhere.
  const scores = inside.map((p, j) => p * Math.log(p / overall[j]))
  return [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, many).map(j => String(model.modes[n].label(j))) // biome-ignore format: one chain
}
model.shares.forEach((share, k) => {
  console.log(`topic ${k + 1} (${percent(share)}): ${marks('word', k, 9).join(' ')}`)
  console.log(`    in ${marks('section', k, 3).join(' · ')}`)
})

const names = model.shares.map((_, k) => `topic ${k + 1}`)
const { classes, modes } = profilesData(model, { names })
writeChart(output('topics.svg'), 'Topics of the documentation', 'words.csv · Polyad', options =>
  topChart({ classes, modes: modes.filter(({ name }) => name === 'word') }, options),
)
