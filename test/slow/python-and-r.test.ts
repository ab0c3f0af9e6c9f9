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
const here = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
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

describe.skipIf(!here('Rscript'))('polyad.R (skipped where Rscript is absent)', () => {
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
