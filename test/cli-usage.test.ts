import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { reference } from '../packages/polyad/src/cli/command-reference.ts'
import { schemas } from '../packages/polyad/src/cli/command-schema.ts'
import { completionScript } from '../packages/polyad/src/cli/commands/completion.ts'
import { SUMMARIES } from '../packages/polyad/src/cli/options/summaries.ts'
import { loadCommands, program } from '../packages/polyad/src/cli/program.ts'
import { faultsOf, objectOf, polyad, polyadProcess, scratchFolder } from './run-polyad.ts'

const COMMANDS = await loadCommands()
const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string | Uint8Array): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}
const good = at('good.csv', 'a,b,n\nx,1,2\ny,2,3\nx,2,1\n')

describe('a failure with --json', () => {
  const failed = async (...words: string[]) => {
    const { code, stdout, stderr } = await polyad(words)
    const object = JSON.parse(stdout)
    expect(faultsOf(object, 'error')).toEqual([])
    return { code, stderr, error: object.error }
  }

  it('is an object with a code, the message and what it is about', async () => {
    const wrong = await failed('fit', good, '-k', '0', '--json')
    expect(wrong).toMatchObject({ code: 2, error: { code: 'POLYAD_OPTION' } })
    expect(wrong.stderr).toContain(wrong.error.message.slice(0, 20))
    expect(await failed('fit', good, '--modes', 'a,b', '-k', '9', '--json')).toMatchObject({
      error: { option: 'rank' },
    })
    const broken = at('broken.tns', '1 1 1\n1 x 1\n')
    expect(await failed('fit', broken, '-k', '1', '--json')).toMatchObject({
      code: 1,
      error: { code: 'POLYAD_DATA', place: { line: 2, column: 'field 2' } },
    })
  })
})

describe('a wrong call', () => {
  it.each([
    ['nothing', [], 'Usage: polyad'],
    ['an unknown command', ['fitt'], 'Did you mean fit?'],
    ['an unknown option', ['fit', good, '--seeds', '1'], 'Did you mean --seed?'],
    ['no number of classes', ['fit', good], 'as in -k 3'],
    ['a word for a number', ['fit', good, '-k', 'three'], 'whole number ≥ 1'],
    ['no data', ['fit', '-k', '2'], 'no data was given'],
    ['an unknown column', ['fit', good, '-k', '2', '--modes', 'a,bb'], 'did you mean "b"?'],
    ['a bad bin', ['fit', good, '-k', '2', '--bin', 'b:monht'], 'did you mean month?'],
    ['a name no model can have', ['fit', good, '-k', '2', '-o', 'model.txt'], '.npz or .json'],
    ['a password in an address', ['fit', 'clickhouse://u:pa55@h/d/t', '-k', '2'], 'set CLICKHOUSE_PASSWORD'],
    ['a range upside down', ['rank', good, '-k', '4..2'], 'a range such as 1..8'],
    ['a format nobody knows', ['convert', good, scratch.path('x.xyz')], 'does not have a known ending'],
  ])('%s: exit code 2, the reason, and nothing on standard output', async (_, args, reason) => {
    const { code, stdout, stderr } = await polyad(args, { cwd: scratch.folder })
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
    expect(stdout).toBe('')
  })

  it('ends a process as it ends the program within another', async () => {
    expect(await polyadProcess(['fitt'])).toEqual(await polyad(['fitt']))
  })
})

describe('a slip of the keyboard or the shell', () => {
  const model = scratch.path('slip.json')
  it.each([
    ['several numbers of classes', ['fit', good, '-k', '1..6'], 2, 'polyad rank'],
    ['several numbers to test', ['test', good, '-k', '1..3'], 2, '-k 1..3: it must be a whole number'],
    ['an equals sign', ['fit', good, '-k=3'], 2, 'Leave out the equals sign: -k 3'],
    ['data for a model', ['classify', good, model], 2, `polyad classify ${model} ${good}`],
    ['a space after a comma', ['fit', good, '-k', '2', '-m', 'a,', 'b'], 1, 'no spaces after its commas: a,b'],
    ['no quotes', ['fit', good, '-k', '2', '--where', 'n', '2'], 1, 'Put the condition in quotes: --where "n >= 18"'],
    ['a misspelt file', ['fit', scratch.path('god.csv'), '-k', '2'], 1, `did you mean ${good}?`],
    ['a folder that is not there', ['fit', 'nowhere/good.csv', '-k', '2'], 1, 'there is no folder nowhere'],
    ['one model of two', ['compare', model], 2, 'compare needs <a> <b>: <b> is missing. Example: polyad compare'],
    ['no row', ['fit', good, '-k', '2', '--where', "a = 'z'"], 1, "meets --where: a = 'z'. a has the values x, y"],
    ['another shell', ['completion', 'tcsh'], 2, 'unknown shell tcsh: it must be one of bash, zsh, fish, powershell'],
  ])('%s: what to type', async (_, args, code, advice) => {
    if (!existsSync(model)) await polyad(['fit', good, '-k', '1', '-m', 'a,b', '-o', model])
    const ended = await polyad(args, { env: { COLUMNS: '400' } })
    expect(ended.stderr).toContain(advice)
    expect(ended).toMatchObject({ code, stdout: '' })
  })

  it('version for --version', async () => {
    expect(await polyad(['version'])).toEqual(await polyad(['--version']))
  })
})

describe('a flag that was called otherwise before', () => {
  it('still works, with a note', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i % 2},${(i >> 1) % 2},${(i * 7) % 3}`)
    const file = scratch.path('renamed.csv')
    writeFileSync(file, `a,b,c\n${rows.join('\n')}\n`)
    const given = ['fit', file, '-k', '2', '--starts', '1', '--json']
    const now = await polyad([...given, '--exclude', 'c', '--min-gain', '1e-9'])
    const before = await polyad([...given, '--except', 'c', '--gain', '1e-9'])
    expect(before.stderr).toContain('--except is now called --exclude')
    expect(before.stderr).toContain('--gain is now called --min-gain')
    expect(now.stderr).not.toContain('is now called')
    expect(objectOf(before, 'fit').loss).toBe(objectOf(now, 'fit').loss)
    expect(objectOf(now, 'fit').modes).toEqual(['a', 'b'])
    expect((await polyad(['fit', '--help'])).stdout).not.toMatch(/--except|--gain\b/)
  })
})

describe('bad data', () => {
  mkdirSync(scratch.path('folder'))
  const closed = at('closed.csv', 'a\n1\n')
  chmodSync(closed, 0)
  const mayReadAll = process.getuid?.() === 0
  it.each([
    ['no such file', () => scratch.path('none.csv'), [], 'there is no file'],
    ['a folder', () => scratch.path('folder'), [], 'is a folder'],
    ['an empty file', () => at('empty.csv', ''), [], 'is empty'],
    ['a word in a count', () => at('text.csv', 'a,n\nx,1\ny,many\n'), ['-c', 'n', '-m', 'a'], 'line 3, column "n"'],
    ['broken Parquet', () => at('bad.parquet', 'PAR1 no PAR1'), [], 'not a readable Parquet file'],
    ['a row too long', () => at('long.csv', 'a,b\n1,2\n1,2,3\n'), [], 'line 3'],
  ])('%s: exit code 1 and the place', async (_, path, args, reason) => {
    const output = scratch.path('never.npz')
    const { code, stdout, stderr } = await polyad(['fit', path(), '-k', '2', ...args, '-o', output])
    expect(code).toBe(1)
    expect(stderr).toContain(reason)
    expect(stdout).toBe('')
    expect(existsSync(output)).toBe(false)
  })

  it.skipIf(mayReadAll)('no permission', async () => {
    const { code, stderr } = await polyad(['fit', closed, '-k', '2'])
    expect(code).toBe(1)
    expect(stderr).toContain('permission denied')
  })

  it('on standard input is called so', async () => {
    const { code, stderr } = await polyad(['fit', '-', '-k', '2', '-c', 'n', '-m', 'a'], {
      input: 'a,n\nx,1\ny,many\n',
    })
    expect(code).toBe(1)
    expect(stderr).toContain('standard input, line 3, column "n"')
  })
})

describe('help and reference', () => {
  it('list every command as it is defined, without loading it', async () => {
    expect(Object.entries(SUMMARIES)).toEqual(COMMANDS.map(({ name, summary }) => [name, summary]))
    const { code, stdout } = await polyad(['--help'])
    expect(code).toBe(0)
    expect(stdout.startsWith(program(COMMANDS).helpInformation())).toBe(true)
    expect((await polyad(['help'])).stdout).toBe(stdout)
    expect((await polyad(['-h'])).stdout).toBe(stdout)
    expect((await polyad(['help', 'fit'])).stdout).toBe((await polyad(['fit', '--help'])).stdout)
  })

  const names = COMMANDS.map(({ name }) => name)

  it('answers with the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../packages/polyad/package.json', import.meta.url), 'utf8'))
    expect(await polyad(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('shows three examples or more of every command first', async () => {
    for (const { name, examples } of COMMANDS)
      expect(examples, name).satisfy((all: readonly unknown[]) => all.length >= 3)
    const { code, stdout } = await polyad(['fit', '--help'])
    expect(code).toBe(0)
    expect(stdout.startsWith('Examples:\n  polyad fit')).toBe(true)
  })

  it('has the options of most people, those of a topic, or all', async () => {
    const flags = async (...words: string[]) =>
      (await polyad(words)).stdout.split('\n').flatMap(line => /^ {2}(?:-\w, )?(--[a-z-]+)/.exec(line)?.[1] ?? [])
    const all = await flags('fit', '--help', 'all')
    const short = await flags('fit', '--help')
    // Besides --help, and the five topics at the end.
    expect(short.length - 6).toBe(20)
    expect(short).toEqual(expect.arrayContaining(['--rank', '--variables', '--where', '--weights', '--json']))
    expect(await flags('fit', '-h', 'search')).toEqual(expect.arrayContaining(['--seed', '--checkpoint']))
    expect(await flags('help', 'fit', 'data')).not.toContain('--checkpoint')
    const topics = await Promise.all(['data', 'structure', 'search', 'statistics'].map(topic => flags('fit', '--help', topic))) // biome-ignore format: one call
    expect(all).toEqual(expect.arrayContaining(topics.flat()))
    const fit = program(COMMANDS).commands.find(each => each.name() === 'fit')
    expect(all.filter(flag => flag !== '--help')).toHaveLength(
      (fit?.createHelp().visibleOptions(fit).length as number) - 1,
    )
    // Commands with few options show them all.
    expect(await flags('show', '--help')).toEqual(await flags('show', '--help', 'all'))
  })

  it('calls variables so, and still knows them as modes', async () => {
    const fitted = async (flag: string) =>
      objectOf(await polyad(['fit', good, '-k', '1', flag, 'a,b', '--count', 'n', '--json']), 'fit').modes
    expect(await fitted('--modes')).toEqual(['a', 'b'])
    expect(await fitted('--variables')).toEqual(['a', 'b'])
    expect((await polyad(['fit', good, '-k', '1', '--modes', 'a,b'])).stderr).not.toContain('is now called')
  })

  it('folds options to the terminal', async () => {
    const { stdout } = await polyad(['fit', '--help'], { env: { COLUMNS: '60' } })
    const options = stdout.slice(stdout.indexOf('\nArguments:')).split('\n')
    for (const line of options) expect(line.length, line).toBeLessThanOrEqual(60)
  })

  it('ends well if a reader closes both streams', async () => {
    const { spawnSync } = await import('node:child_process')
    const command = new URL('../packages/polyad/bin/polyad.js', import.meta.url).pathname
    const script = '{ { "$0" "$1" fit "$2" -k 2 -m a,b -o "$3" 2>&1; echo "code $?" >&3; } | true; } 3>&1'
    const model = scratch.path('unread.npz')
    const { stdout } = spawnSync('sh', ['-c', script, process.execPath, command, good, model])
    expect(existsSync(model)).toBe(true)
    expect(String(stdout)).toBe('code 0\n')
  })

  it('has examples that the commands understand', async () => {
    for (const [line] of COMMANDS.flatMap(({ examples }) => examples)) {
      const [, words] = /(?:^|\()polyad (.*?)(?:\)|\||$)/.exec(line.replaceAll('"', '')) ?? []
      const parsed = program(COMMANDS)
      let called = ''
      for (const command of parsed.commands) {
        command.action((...given) => {
          called = (given.at(-1) as Command).name()
        })
      }
      await parsed.parseAsync(words.trim().split(/\s+/), { from: 'user' })
      expect(called, line).toBe(words.split(' ')[0])
    }
  })

  it('has every command take --json and --quiet, but those that print text as it is', () => {
    for (const command of program(COMMANDS).commands.filter(each => names.includes(each.name()))) {
      if (command.name() === 'completion') continue
      const flags = command.options.map(({ long }) => long)
      expect(flags, command.name()).toEqual(expect.arrayContaining(['--json', '--quiet']))
    }
  })

  it('has a reference that is current (npm run docs:cli writes it)', () => {
    const folder = new URL('../docs/reference/', import.meta.url)
    const written = ['cli.md', ...readdirSync(new URL('commands', folder)).map(name => `commands/${name}`)]
    const pages = Object.fromEntries(written.map(path => [path, readFileSync(new URL(path, folder), 'utf8')]))
    expect(pages).toEqual(reference(program(COMMANDS), COMMANDS))
    // The table of contents describes commands as they describe themselves.
    const contents = readFileSync(new URL('../docs/README.md', import.meta.url), 'utf8')
    for (const { name, summary } of COMMANDS)
      expect(contents).toContain(`- [polyad ${name}](reference/commands/${name}.md): ${summary}\n`)
  })

  it('has JSON Schemas that are current and complete (npm run docs:cli writes them)', () => {
    const folder = new URL('../packages/polyad/schema/', import.meta.url)
    const files = readdirSync(folder).map(name => [
      name.replace('.json', ''),
      readFileSync(new URL(name, folder), 'utf8'),
    ])
    expect(Object.fromEntries(files.map(([name, text]) => [name, JSON.parse(text)]))).toEqual(schemas(COMMANDS))
    // Every command that prints an object has one.
    const described = COMMANDS.filter(({ name }) => name !== 'completion').map(({ name }) => name)
    expect(Object.keys(schemas(COMMANDS)).sort()).toEqual([...described, 'error', 'plan', 'progress'].sort())
  })

  it('completes every command in every shell', () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'] as const) {
      const script = completionScript(shell, program(COMMANDS))
      for (const name of names) expect(script).toContain(name)
      expect(script).toMatch(shell === 'fish' ? /-l starts/ : /--starts/)
    }
  })
})

describe('the answer of fit and rank', () => {
  const survey = at(
    'answers.csv',
    `a,b,c,d\n${Array.from({ length: 160 }, (_, i) => [i % 2, i % 5 === 0 ? 1 - (i % 2) : i % 2, i % 7 === 0 ? 1 - (i % 2) : i % 2, i % 3].join(',')).join('\n')}\n`,
  )

  it('has what people need, and everything with --details', async () => {
    const brief = (await polyad(['fit', survey, '-k', '2'])).stdout
    const full = (await polyad(['fit', survey, '-k', '2', '--details'])).stdout
    for (const text of ['N  ', 'log-likelihood', 'BIC', 'relative entropy', 'what marks it', '    class 1']) {
      expect(brief).toContain(text)
      expect(full).toContain(text)
    }
    for (const text of ['loss f', 'AIC3', 'AWE', 'stationary to', 'in the whole search']) {
      expect(brief).not.toContain(text)
      expect(full).toContain(text)
    }
    expect(brief).toContain('Next: add -o model.npz')
  })

  it('names the next commands for a saved model, with its files', async () => {
    const model = scratch.path('next.npz')
    const { stdout } = await polyad(['fit', survey, '-k', '2', '-o', model], { env: { COLUMNS: '400' } })
    expect(stdout).toContain(`Saved ${model}\n\nNext:\n  polyad classify ${model} ${survey} -o classes.csv`)
  })

  it('of rank begins with the recommendation, and shows the classes with --show', async () => {
    const { stdout } = await polyad(['rank', survey, '-k', '1..2'])
    expect(stdout.trimStart()).toMatch(/^(Recommended: \d class|No recommendation)/)
    expect(stdout).not.toContain('what marks it')
    expect((await polyad(['rank', survey, '-k', '2', '--show'])).stdout).toContain('class size')
  })
})
