import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../document-blocks.ts'
import { command } from '../run-polyad.ts'
import { testFolder } from '../test-folder.ts'

/** polyad.py and polyad.R, where a command fails, and with values that are hard to write. The page runs the rest. */

const { path, file } = testFolder()
const env = { ...process.env, POLYAD: `${process.execPath} ${command}` }
const here = (program: string, args: readonly string[] = ['--version']) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0
const run = (program: string, args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: path('.'), env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return { stdout: stdout.replace(/ +\n/g, '\n'), stderr }
}
/** What the command says of the table beside its answer. */
const NOTE = 'variables: a, b'
/** A label of every kind: quotes, a backslash, signs beyond ASCII; and counts. */
const rows = 'a,b,n\n"say ""yes""",ä,3\nback\\slash,π,4\n"say ""yes""",π,2\nback\\slash,ä,1\n'

describe.skipIf(!here('python3'))('polyad.py (skipped where python3 is absent)', () => {
  it('raises what the command says, with its code', () => {
    copyFileSync(join(root, 'docs/guides/polyad.py'), path('polyad.py'))
    file('rows.csv', rows)
    const program = file(
      'try.py',
      `import polyad
try:
    polyad.run("fit", "absent.csv", k=2)
except polyad.PolyadError as error:
    print(error.code, "absent.csv" in str(error))
try:
    polyad.run("fit", "rows.csv", max_seconds=-1, k=1)
except polyad.PolyadError as error:
    print(error.code)
answer = polyad.run("fit", "rows.csv", k=1, count="n", where="b != 'x y'")
print(answer["total"], answer["modes"])
`,
    )
    const { stdout, stderr } = run('python3', [program])
    expect(stdout).toBe("POLYAD_DATA True\nPOLYAD_OPTION\n10 ['a', 'b']\n")
    expect(stderr).toContain(NOTE)
  })
})

describe.skipIf(!here('python3', ['-c', 'import pandas']))('DataFrames (skipped where pandas is absent)', () => {
  it('are fitted, and results are DataFrames', () => {
    copyFileSync(join(root, 'docs/guides/polyad.py'), path('polyad.py'))
    const program = file(
      'frames.py',
      `import warnings
import pandas as pd
import polyad
rows = pd.DataFrame({"a, b": ["x", "y", None, "x"] * 20, "mood": (["low", "high", "high", "low"] * 20), "w": [1.5, 2.5] * 40})
rows["mood"] = pd.Categorical(rows["mood"], ["low", "middle", "high"], ordered=True)
fit = polyad.fit(rows, classes=2, variables=["a, b", "mood"], se=True, starts=2)
print(list(fit.profiles.index), fit.profiles.shape, round(fit.profiles.loc["mood"].sum().sum(), 9))
print(round(fit.classes["share"].sum(), 9), fit.fit.loc["total", "value"], fit.standard_errors.shape)
found = fit.predict(rows.set_index("w"), posterior=True)
print(list(found.columns), found.index[1], (found.posterior_1 + found.posterior_2).round(9).unique())
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    fit.predict(pd.DataFrame({"a, b": ["z"], "mood": ["low"]}))
    print([str(each.message) for each in told if each.category is polyad.PolyadWarning][-1])
print(fit.plot()._repr_svg_()[:4], "2 classes" in fit.summary(), polyad.rank(rows, "1..2", ["a, b", "mood"], folds=0).shape[0])
fit.save("kept.npz")
print(sorted(polyad.load("kept.npz")["variables"]))
`,
    )
    expect(run('python3', [program]).stdout.split('\n')).toEqual([
      "[('a, b', 'x'), ('a, b', 'y'), ('mood', 'low'), ('mood', 'high')] (4, 2) 2.0",
      '1.0 80.0 (4, 2)',
      "['class', 'class_probability', 'log_likelihood', 'posterior_1', 'posterior_2'] 2.5 [1.]",
      '1 rows have a category of a, b that the model has not seen',
      '<svg True 2',
      "['a, b', 'mood']",
      '',
    ])
  })
})

describe.skipIf(!here('Rscript'))('polyad.R (skipped where Rscript is absent)', () => {
  it('fits data frames, and results are data frames', () => {
    copyFileSync(join(root, 'docs/guides/polyad.R'), path('polyad.R'))
    const program = file(
      'frames.R',
      `source("polyad.R")
rows <- data.frame("a, b" = rep(c("x", "y", NA, "x"), 20), mood = rep(c("low", "high", "high", "low"), 20), check.names = FALSE)
rows$mood <- factor(rows$mood, c("low", "middle", "high"), ordered = TRUE)
fit <- polyad_fit(rows, classes = 2, variables = c("a, b", "mood"), se = TRUE, starts = 2)
cat(dim(fit$profiles), fit$profiles$category, names(fit$profiles), "\\n")
cat(round(sum(fit$classes$share), 9), fit$fit$value[fit$fit$statistic == "total"], dim(fit$standard_errors), "\\n")
found <- predict(fit, rows, posterior = TRUE)
cat(nrow(found), names(found), "\\n")
cat(tryCatch(predict(fit, data.frame("a, b" = "z", mood = "low", check.names = FALSE)), warning = conditionMessage), "\\n")
pdf(NULL)
plot(fit)
plot(fit, file = "fit.svg")
cat(file.exists("fit.svg"), any(grepl("2 classes", capture.output(summary(fit)))), capture.output(fit)[1], "\\n")
`,
    )
    const { stdout } = run('Rscript', [program])
    expect(stdout.split('\n')).toEqual([
      '4 4 x y low high variable category class_1 class_2',
      '1 80 4 4',
      '80 class class_probability log_likelihood posterior_1 posterior_2',
      'categories that the model has never seen: a, b',
      'TRUE TRUE 2 classes of 2 variables',
      '',
    ])
  })

  it('stops with what the command says, and keeps every label', () => {
    copyFileSync(join(root, 'docs/guides/polyad.R'), path('polyad.R'))
    file('rows.csv', rows)
    const program = file(
      'try.R',
      `source("polyad.R")
cat(tryCatch(polyad("fit", "absent.csv", k = 2), error = function(e) grepl("absent.csv", conditionMessage(e))), "\\n")
answer <- polyad("fit", "rows.csv", k = 1, count = "n", where = "b != 'x y'", output = "rows.npz")
cat(answer$total, answer$modes, answer$pValue > 0, "\\n")
model <- read_model("rows.npz")
cat(utf8ToInt(rownames(model$variables$b)[1]), rownames(model$variables$a), "\\n")
cat(round(model$variables$a[, 1], 3), "\\n")
`,
    )
    const { stdout, stderr } = run('Rscript', [program])
    expect(stdout).toBe('TRUE\n10 a b TRUE\n228 back\\slash say "yes"\n0.5 0.5\n')
    expect(stderr).toContain(NOTE)
  })
})
