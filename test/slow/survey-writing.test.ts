import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { polyad } from '../run-polyad.ts'
import { testFolder } from '../test-folder.ts'

/** Files of SPSS and Stata that commands write, read by pyreadstat, whose reader (ReadStat) is also that of haven. */

const python = process.env.POLYAD_PYTHON ?? 'python3'
const { path, file } = testFolder()
const run = (program: string) => {
  const ended = spawnSync(python, ['-c', program], { cwd: path('.'), encoding: 'utf8' })
  expect(ended.status, ended.stderr).toBe(0)
  return JSON.parse(ended.stdout)
}
const hasReader = spawnSync(python, ['-c', 'import pyreadstat'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasReader)(
  'files that pyreadstat reads (skipped where it is absent; POLYAD_PYTHON names a Python)',
  () => {
    it.each(['sav', 'dta'])('rows of classify and impute in .%s have values and labels', async format => {
      const answers = ['yes', 'no', 'yes', 'no']
      const rows = Array.from({ length: 60 }, (_, i) => [answers[i % 2], answers[(i >> 1) % 2], i % 3 === 0 ? 2 : 1])
      file(
        'in.csv',
        ['q1,q2,q3', ...rows.map((row, i) => (i === 5 ? `,${row[1]},${row[2]}` : row.join(',')))].join('\n'),
      )
      const ran = async (...words: string[]) => {
        const { code, stderr } = await polyad(words, { cwd: path('.') })
        expect(code, stderr).toBe(0)
      }
      await ran('fit', 'in.csv', '-k', '2', '--starts', '2', '-o', 'm.npz')
      await ran('classify', 'm.npz', 'in.csv', '-o', `out.${format}`)
      await ran('impute', 'm.npz', 'in.csv', '-o', `filled.${format}`)
      const found = run(`
import json, pyreadstat
read = pyreadstat.read_sav if '${format}' == 'sav' else pyreadstat.read_dta
table, meta = read('out.${format}')
filled, _ = read('filled.${format}', apply_value_formats=True)
print(json.dumps({
  'names': meta.column_names,
  'labels': {name: list(labels.values()) for name, labels in meta.variable_value_labels.items()},
  'q1': [None if value != value else value for value in table['q1'][:6]],
  'q3': list(table['q3'][:4]),
  'missing': int(filled['q1'].isna().sum()),
  'filled': list(map(str, filled['q1'][:5])),
}))`)
      expect(found).toEqual({
        names: ['q1', 'q2', 'q3', 'class', 'class_probability', 'log_likelihood'],
        labels: { q1: ['no', 'yes'], q2: ['no', 'yes'] },
        q1: [2, 1, 2, 1, 2, null],
        q3: [2, 1, 1, 2],
        missing: 0,
        filled: ['yes', 'no', 'yes', 'no', 'yes'],
      })
    })
  },
)

const hasHaven = spawnSync('Rscript', ['-e', 'library(haven); library(jsonlite)'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasHaven)('files that haven writes and reads (skipped where R has no haven and jsonlite)', () => {
  const r = (program: string) => {
    const ended = spawnSync('Rscript', ['-e', `library(haven)\n${program}`], { cwd: path('.'), encoding: 'utf8' })
    expect(ended.status, ended.stderr).toBe(0)
    return ended.stdout
  }

  it.each(['sav', 'dta'])('.%s keep codes, and labels of variables and values', async format => {
    r(`rows <- data.frame(
  q1 = labelled(rep(c(1, 2), 30), c(yes = 1, no = 2), label = "Do you trust them?"),
  q2 = labelled(c(rep(1:2, each = 2, 14), 1, NA, 2, 2), c(often = 1, never = 2), label = "Fair? „ja“"))
write_${format}(rows, "labels.${format}")`)
    const [input, model] = [`labels.${format}`, `labels-${format}.npz`]
    const done = { classify: `scored.${format}`, impute: `whole.${format}`, convert: `cells.${format}` }
    for (const words of [
      ['fit', input, '-k', '2', '--starts', '2', '-o', model],
      ['classify', model, input, '-o', done.classify],
      ['impute', model, input, '-o', done.impute],
      ['convert', input, done.convert],
    ]) {
      const { code, stderr } = await polyad(words, { cwd: path('.') })
      expect(code, stderr).toBe(0)
    }
    for (const [command, written] of Object.entries(done)) {
      const found = JSON.parse(
        r(`rows <- read_${format}("${written}")
describe <- function(column) list(label = attr(column, "label"), values = as.list(attr(column, "labels")), codes = sort(unique(as.numeric(column))))
cat(jsonlite::toJSON(list(rows = nrow(rows), q1 = describe(rows$q1), q2 = describe(rows$q2), missing = sum(is.na(rows$q2))), auto_unbox = TRUE))`),
      )
      expect(found, command).toEqual({
        rows: command === 'convert' ? 5 : 60,
        q1: { label: 'Do you trust them?', values: { yes: 1, no: 2 }, codes: [1, 2] },
        q2: { label: 'Fair? „ja“', values: { often: 1, never: 2 }, codes: [1, 2] },
        missing: command === 'impute' ? 0 : 1,
      })
    }
  })
})
