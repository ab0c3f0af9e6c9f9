import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { random } from '../packages/core/src/numeric/philox.ts'
import { blocksOf, root, stepsOf } from './document-blocks.ts'
import { polyad } from './run-polyad.ts'

/** The files that the documents use, in a folder: those of the repository, and a survey, patients, visits and models that are made up. */

/** Files of the repository, under their own name and under their path. */
const COPIED = [
  'packages/studio/public/examples/election.csv',
  'packages/studio/public/examples/carcinoma.csv',
  'packages/studio/public/examples/hair-eye-colour.csv',
  'packages/studio/public/examples/event-log.csv',
  'packages/polyad/data/iris.csv',
  'examples/survey/survey.csv',
  'test/data/election.csv',
  'test/data/survey/election.zsav',
  'test/data/sheets/openpyxl.xlsx',
  'test/data/sheets/openpyxl-merged.xlsx',
  'test/data/r-sas/base.rds',
  'test/data/r-sas/several.rda',
  'test/data/r-sas/haven-8.xpt',
]

/** Three classes of respondents: each says the first, second or third category of a question with these odds. */
const LEANING = [
  [0.8, 0.15, 0.05],
  [0.15, 0.7, 0.15],
  [0.1, 0.2, 0.7],
]

const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  `${[columns, ...rows].map(row => row.join(',')).join('\n')}\n`

/** A survey with questions, a design, and everything that is asked besides. */
const surveyOf = (count: number, seed: number): string => {
  const { uniform, below } = random(seed, 'sample')
  const drawn = (odds: readonly number[], names: readonly string[]): string => {
    const at = uniform()
    return names[at < odds[0] ? 0 : at < odds[0] + odds[1] || names.length === 2 ? 1 : 2]
  }
  const rows = Array.from({ length: count }, (_, i) => {
    const side = below(3)
    const odds = LEANING[side]
    const school = i % 17
    const q4 = drawn(odds, ['yes', 'no'])
    const answers = [
      ...[0, 1, 2].map(() => drawn(odds, ['agree', 'neither', 'disagree'])),
      ...[q4, below(3) === 0 ? drawn(odds, ['yes', 'no']) : q4],
      ...[drawn(odds, ['low', 'middle', 'high']), drawn(odds, ['none', 'yes'])],
    ].map(answer => (below(40) === 0 ? '' : answer))
    const weight = 0.5 + below(20) / 8
    return [
      ...answers,
      20 + 12 * side + below(30),
      drawn(odds, ['Independent', 'left', 'right']),
      ['AT', 'CH', 'DE'][below(3)],
      school < 8 ? 'north' : 'south',
      `s${school + 1}`,
      weight,
      ...[0, 1, 2, 3].map(each => weight * (((school >> (each % 3)) + each) % 2 === 0 ? 0.5 : 1.5)),
      (1200 + 350 * side + below(900) + below(100) / 100).toFixed(2),
    ]
  })
  const columns = ['q1', 'q2', 'q3', 'q4', 'q5', 'trust', 'vote', 'age', 'party', 'country', 'region', 'school', 'w']
  return table([...columns, 'rw1', 'rw2', 'rw3', 'rw4', 'income'], rows)
}

const patientsOf = (count: number): string => {
  const { uniform, below } = random(3, 'sample')
  const rows = Array.from({ length: count }, () => {
    const side = below(3)
    const says = () => (uniform() < [0.9, 0.5, 0.1][side] ? 'yes' : 'no')
    return [says(), says(), says(), says(), below(4) === 0 ? ['flu', 'cold', 'none'][side] : '']
  })
  return table(['s1', 's2', 's3', 's4', 'diagnosis'], rows)
}

const visitsOf = (count: number): string => {
  const { below } = random(5, 'sample')
  const rows = Array.from({ length: count }, () => {
    const side = below(4)
    return [`item${(side * 3 + below(4)) % 9}`, `place${(side * 2 + below(3)) % 6}`, (side * 6 + below(8)) % 24]
  })
  return table(['item', 'place', 'hour'], rows)
}

const run = async (cwd: string, line: string) => {
  const { code, stderr } = await polyad(line.split(' '), { cwd })
  if (code !== 0) throw new Error(`polyad ${line}: ${stderr}`)
}

export const writeExampleData = async (folder: string): Promise<void> => {
  for (const path of COPIED) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
    copyFileSync(join(root, path), join(folder, basename(path)))
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('survey.csv', surveyOf(340, 1))
  ;['new.csv', 'test.csv', 'today.csv', 'day-1.csv', 'day-2.csv'].forEach((name, i) => {
    write(name, surveyOf(51, 2 + i))
  })
  // The table of the section on statistics is written on its first page.
  for (const step of blocksOf('docs/statistics/README.md').flatMap(({ code }) => stepsOf(code)))
    if (step.kind === 'write') write(step.file, step.text)
  write('patients.csv', patientsOf(240))
  write('visits.csv', visitsOf(1500))
  for (const name of ['lake', 'data']) mkdirSync(join(folder, name))
  await run(folder, 'fit survey.csv -k 3 --modes q1,q2,q3,q4 --starts 5 -o model.npz')
  await run(folder, 'fit visits.csv -k 4 --starts 5 -o visits.npz')
  await run(folder, 'sample visits.npz -n 1500 -o visits.parquet')
  copyFileSync(join(folder, 'visits.parquet'), join(folder, 'lake/orders-1.parquet'))
  await run(folder, `sample visits.npz -n 1500 -o duckdb://${folder}/data/shop.duckdb/orders`)
  await run(folder, 'classify model.npz new.csv -o new.parquet')
}
