import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { modelFromNpz } from '@polyad/core/file'
import { afterAll, describe, expect, it } from 'vitest'
import { writeTensor } from '../packages/polyad/src/output/write-tensor.ts'
import { csvOf, objectOf, polyad, scratchFolder, signalOnceThere, signalWhen } from './run-polyad.ts'
import { carcinoma, gss82, hairEyeColor } from './tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const at = (name: string, content: string | Uint8Array): string => {
  writeFileSync(scratch.path(name), content)
  return scratch.path(name)
}
const iris = fileURLToPath(new URL('../packages/polyad/data/iris.csv', import.meta.url))

describe('polyad fit', () => {
  const data = at('carcinoma.csv', csvOf(carcinoma))

  it('gives the published figures as one object, and nothing else on standard output', async () => {
    const ended = await polyad(['fit', data, '-k', '3', '--json'])
    const object = objectOf(ended, 'fit')
    for (const key of [
      'rank',
      'cells',
      'total',
      'loss',
      'logLikelihood',
      'shares',
      'parameters',
      'degreesOfFreedom',
      'criteria',
      'gSquared',
      'chiSquared',
      'converged',
      'passes',
      'starts',
      'optima',
      'verdict',
      'seconds',
    ]) {
      expect(object, key).toHaveProperty(key)
    }
    expect(object).toMatchObject({
      rank: 3,
      cells: 20,
      total: 118,
      parameters: 23,
      degreesOfFreedom: 104,
      converged: true,
    })
    expect(object.logLikelihood).toBeCloseTo(-293.704979, 5)
    expect(object.criteria.bic).toBeCloseTo(697.1357, 3)
    expect(object.criteria).toHaveProperty('caic')
    expect(object.criteria).toHaveProperty('sabic')
    expect(object.gSquared).toBeCloseTo(15.26171, 4)
    expect(object.shares[0]).toBeCloseTo(0.444728, 5)
    expect(ended.stderr).toContain('counting by column n')
  })

  it('prints classes, marks, figures and the verdict, without colour where nobody looks', async () => {
    const { code, stdout } = await polyad(['fit', data, '-k', '3'])
    expect(code).toBe(0)
    for (const text of ['class 1', '44.5%', 'lift', 'C = 2', 'BIC', '697.14', '−293.7050', 'solution'])
      expect(stdout).toContain(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
    expect(stdout).not.toMatch(/\x1b/)
  })

  it('ends with the summary and the cautions of its report, and has them in --json', async () => {
    // A third of the answers are copied from another question, which no class explains.
    const copied = Array.from({ length: 240 }, (_, i) => {
      const [a, b, c] = [i % 2, (i >> 1) % 2, (i >> 2) % 2].map(bit => ((i % 3 === 0 ? bit : i % 2) ? 'yes' : 'no'))
      const d = (i >> 4) % 2 === 1
      return [a, b, c, d ? 'yes' : 'no', d || i % 25 === 0 ? 'yes' : 'no'].join(',')
    })
    const pairs = at('pairs.csv', `a,b,c,d,e\n${copied.join('\n')}\n`)
    const [model, page] = [scratch.path('pairs.npz'), scratch.path('pairs.html')]
    const fitted = objectOf(await polyad(['fit', pairs, '-k', '2', '-o', model, '--json']), 'fit')
    const reported = objectOf(await polyad(['report', model, pairs, '-o', page, '--json']), 'report')
    for (const key of ['summary', 'judgements', 'cautions']) expect(fitted[key], key).toEqual(reported[key])
    expect(fitted.judgements.map((each: { subject: string }) => each.subject)).toEqual([
      ...['search', 'groups', 'assignment', 'fit'],
    ])
    expect(fitted.cautions.join(' ')).toMatch(/remain associated \(bivariate residual [\d.]+\)/)
    expect(fitted.cautions.join(' ')).toContain('estimated as exactly 0 or 1')
    const plain = (text: string) => text.replace(/\s+/g, ' ')
    const printed = plain((await polyad(['fit', pairs, '-k', '2', '--quiet'])).stdout)
    const html = plain(
      readFileSync(page, 'utf8')
        .replace(/<[^>]*>/g, ' ')
        .replaceAll('\u00a0', ' ')
        .replaceAll('&#60;', '<'),
    )
    for (const { answer } of fitted.judgements) {
      expect(printed).toContain(answer)
      expect(html).toContain(answer)
    }
    for (const caution of fitted.cautions) {
      expect(printed).toContain(plain(caution))
      expect(html).toContain(plain(caution))
    }
    expect(printed.indexOf('summary')).toBeGreaterThan(printed.indexOf('solution'))
    expect([printed, html].some(text => /\breliable\b/.test(text))).toBe(false)
  })

  it('finds no groups in noise, and says so by fit, rank and their reports', async () => {
    let state = 7
    const answer = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 31 ? 'yes' : 'no'
    }
    const rows = Array.from({ length: 300 }, () => [answer(), answer(), answer(), answer()].join(','))
    const noise = at('noise.csv', `a,b,c,d\n${rows.join('\n')}\n`)
    const none = 'No groups found: one class is enough.'
    const page = scratch.path('noise.html')
    for (const args of [
      ['fit', noise, '-k', '1'],
      ['fit', noise, '-k', '2'],
      ['rank', noise, '-k', '1..3', '--folds', '0'],
    ]) {
      expect((await polyad([...args, '-q', '--report', page])).stdout, args[0]).toContain(none)
      expect(readFileSync(page, 'utf8'), args[0]).toContain(none)
    }
    const ranked = objectOf(await polyad(['rank', noise, '-k', '1..3', '--folds', '0', '--json']), 'rank')
    expect(ranked.recommended).toBe(1)
    expect(ranked.summary.join(' ')).toContain(none)
    expect(ranked.judgements).toContainEqual(expect.objectContaining({ subject: 'groups', answer: none }))
  })

  it('says nothing but the answer with --quiet', async () => {
    const { stderr } = await polyad(['fit', data, '-k', '2', '--quiet'])
    expect(stderr).toBe('')
    const gaps = scratch.path('gaps.csv')
    writeFileSync(gaps, `a,b\n${'x,y\nx,z\nw,z\n'.repeat(9)},\n`)
    const remarked = await polyad(['fit', gaps, '-k', '1'])
    expect(remarked.stderr).toContain('1 row left out: every variable is missing')
    expect((await polyad(['fit', gaps, '-k', '1', '-q'])).stderr).toBe('')
  })

  it('saves a model with all that is needed to do it again', async () => {
    const output = scratch.path('model.npz')
    const { code } = await polyad(['fit', data, '-k', '2', '--seed', '4', '--starts', '3', '-o', output, '-q'])
    expect(code).toBe(0)
    const { model, run } = modelFromNpz(readFileSync(output))
    expect(model.rank).toBe(2)
    expect(run).toMatchObject({
      program: 'polyad',
      command: 'fit',
      options: { rank: 2, seed: 4, starts: 3 },
      source: { files: [data] },
    })
    const result = run.result as { loss: number; trace: number[] }
    expect(result.trace.length).toBeGreaterThan(1)
    expect(readdirSync(scratch.folder).filter(name => name.endsWith('.part'))).toEqual([])
  })

  it('gives the same bits from every format and from standard input', async () => {
    const loss = async (args: string[], input?: string) => {
      const { code, stdout, stderr } = await polyad(
        ['fit', ...args, '-k', '2', '--starts', '3', '--json'],
        input === undefined ? {} : { input },
      )
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout).loss as number
    }
    const expected = await loss([data])
    expect(await loss(['-'], csvOf(carcinoma))).toBe(expected)
    for (const name of [
      'c.parquet',
      'c.ndjson',
      'c.json',
      'c.tsv',
      'c.csv.gz',
      'c.tns',
      'c.tns.gz',
      'c.npz',
      'c.npy',
    ]) {
      await writeTensor(carcinoma, scratch.path(name))
      expect(await loss([scratch.path(name)]), name).toBe(expected)
    }
  })

  it('reads measurements, with and without bins', async () => {
    const plain = await polyad(['fit', iris, '-k', '3', '--exclude', 'species', '--starts', '2', '--json'])
    expect(JSON.parse(plain.stdout)).toMatchObject({ total: 150, shape: [35, 23, 43, 22] })
    const bins = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width'].flatMap(name => [
      '--bin',
      `${name}:0.1`,
    ])
    const paper = await polyad(['fit', iris, '-k', '3', '--exclude', 'species', '--starts', '2', '--json', ...bins])
    expect(JSON.parse(paper.stdout).shape).toEqual([37, 25, 60, 25])
  })

  it('says what can be used if a table is sparse: residuals of pairs, the bootstrap, and that of X² and pairs if it was made', async () => {
    const rows = Array.from({ length: 64 }, (_, i) => `x${i % 8},y${i >> 3}`)
    const call = ['fit', at('few.csv', `a,b\n${rows.join('\n')}\n`), '-k', '2', '--starts', '1']
    expect((await polyad(call)).stdout).toMatch(
      /G² and X² do not follow χ² here[\s\S]*Look at the\s+bivariate residuals[\s\S]*\(--bootstrap\)/,
    )
    const { stdout } = await polyad([...call, '--bootstrap', '9'])
    expect(stdout).toMatch(
      /do not follow χ² here[\s\S]*Rely on the\s+bootstrap\s+of\s+X²\s+and\s+of\s+the\s+pairs\s+below\.\n[\s\S]*p of X²[\s\S]*p of G²/,
    )
    expect(stdout).not.toContain('--bootstrap')
  })
})

describe('what memory has no room for', () => {
  it('is refused before the fit: replicates', async () => {
    const { code, stdout, stderr } = await polyad([
      'fit',
      iris,
      '-k',
      '60',
      '--bootstrap',
      '1000000',
      '--count',
      'none',
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--bootstrap must be at most \d+ with \d+ parameters, or memory runs out \(got 1000000\)/)
  })
})

describe('polyad rank', () => {
  it('compares numbers of classes and recommends one', async () => {
    const data = at('gss82.csv', csvOf(gss82))
    const { fits, recommended } = objectOf(
      await polyad(['rank', data, '-k', '1..4', '--json', '--starts', '10']),
      'rank',
    )
    expect(fits.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3, 4])
    expect(fits[2].logLikelihood).toBeCloseTo(-2754.545405, 4)
    expect(recommended).toBe(3)
    const text = await polyad(['rank', data, '-k', '2..3', '--starts', '10', '--folds', '0'])
    expect(text.stdout).toContain('█')
    expect(text.stdout).toContain('3 classes')
  })
})

describe('polyad independence', () => {
  it('fits the one-class model and tests it', async () => {
    const data = at('hair.csv', csvOf(hairEyeColor))
    const object = objectOf(await polyad(['independence', data, '--json', '--cells', '3']), 'independence')
    expect(object.gSquared).toBeCloseTo(166.3001395, 6)
    expect(object.chiSquared).toBeCloseTo(164.92471738, 6)
    expect(object.degreesOfFreedom).toBe(24)
    expect(object.totalCorrelation).toBeCloseTo(83.1500697502 / 592, 9)
    expect(object.deviations).toHaveLength(3)
    const [first] = object.deviations
    expect(first.labels).toEqual(['Blond', 'Blue', 'female'])
    expect(first.residual).toBeCloseTo((first.observed - first.expected) / Math.sqrt(first.expected), 9)
    const text = await polyad(['independence', data])
    for (const part of ['166.3001', 'independence is rejected', 'Blond', 'residual'])
      expect(text.stdout).toContain(part)
  })

  it('says nothing of independence by a test that is unreliable', async () => {
    const rows = Array.from({ length: 64 }, (_, i) => `x${i % 8},y${i >> 3}`)
    const sparse = at('sparse.csv', `a,b\n${rows.join('\n')}\n`)
    // In one table p is large, in the other it is below 0.001.
    for (const data of [sparse, at('slides.csv', csvOf(carcinoma))]) {
      const { code, stdout } = await polyad(['independence', data])
      expect(code).toBe(0)
      expect(stdout).toContain('G² is unreliable here')
      expect(stdout).toContain('polyad test -k 1')
      expect(stdout).not.toMatch(/independence is (not )?rejected/)
    }
  })
})

describe('names that no column has', () => {
  const data = at('awkward.csv', `"a, b",plain,"say ""so"""\n${'1,2,3\n2,3,1\n'.repeat(20)}`)
  const columns = 'there are "a, b", plain, "say ""so"""'

  it.each(['covariates', 'groups', 'known'])('are refused by --%s, patterns too', async option => {
    const { code, stderr } = await polyad(['fit', data, '-k', '2', `--${option}`, 'agee*'])
    expect([code, stderr]).toEqual([2, `error: ${data} has no column "agee*"; ${columns}\n`])
  })
})

describe('a model of yesterday', () => {
  const day = (name: string, cities: readonly string[]) =>
    at(
      name,
      `city,item,hour\n${Array.from({ length: 60 }, (_, i) => `${cities[i % 3]},${i % 7 < 3 ? 'tea' : 'juice'},${i % 5 < 2 ? 'am' : 'pm'}\n`).join('')}`,
    )

  it('is where the fit to other data begins; categories are matched by name, and a note says what differs', async () => {
    const model = scratch.path('yesterday.npz')
    await polyad(['fit', day('yesterday.csv', ['Bonn', 'Trier', 'Ulm']), '-k', '2', '-o', model])
    const today = day('today.csv', ['Ulm', 'Kiel', 'Trier'])
    const { code, stdout, stderr } = await polyad(['fit', today, '-k', '2', '--init', model, '--json'])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('city: 1 new category (Kiel), 1 category of the model no longer there (Bonn)')
    const { starts, logLikelihood } = JSON.parse(stdout)
    expect(starts).toBe(1)
    const searched = JSON.parse((await polyad(['fit', today, '-k', '2', '--json'])).stdout)
    expect(logLikelihood).toBeLessThanOrEqual(searched.logLikelihood + 1e-6)
    const refused = await polyad(['fit', today, '-k', '2', '--groups', 'hour', '--init', model])
    expect(refused.stderr).toContain('--init cannot be combined with --groups')
    const ignored = await polyad(['fit', today, '-k', '2', '--starts', '5', '--init', model])
    expect(ignored.stderr).toContain('--init cannot be combined with --starts')
  })

  it('is checked before the data is read', async () => {
    const model = scratch.path('two.npz')
    const data = day('days.csv', ['Bonn', 'Trier', 'Ulm'])
    await polyad(['fit', data, '-k', '2', '-o', model])
    const more = await polyad(['fit', data, '-k', '3', '--init', model])
    expect(more.stderr).toBe(`error: ${model} has 2 classes: with --init, use -k 2\n`)
    const absent = await polyad(['fit', data, '-k', '2', '--init', scratch.path('absent.npz')])
    expect(absent.stderr).toBe(`error: there is no file ${scratch.path('absent.npz')}\n`)
    const other = await polyad(['fit', data, '-k', '2', '--init', model, '-m', 'city,item', '-q'])
    expect(other.stderr).toBe('error: the data and the model must have the same variables: only the model has "hour"\n')
  })
})

describe('being interrupted', () => {
  it('stops at the next pass, prints and saves the best so far', async () => {
    const output = scratch.path('interrupted.npz')
    const kept = scratch.path('interrupted.ckpt')
    const keeping = ['--checkpoint', kept, '--checkpoint-every', '0.05']
    const { code, stdout, stderr } = await polyad(
      ['fit', iris, '-k', '8', '--starts', '1000000', '-o', output, '--json', ...keeping],
      { when: [signalOnceThere('N = 150', kept, 10_000)] },
    )
    expect(code, stderr).toBe(130)
    expect(stderr).toContain('stopped early')
    const { loss, starts } = JSON.parse(stdout)
    expect(starts).toBeLessThan(1_000_000)
    const { run } = modelFromNpz(readFileSync(output))
    expect((run.result as { loss: number }).loss).toBe(loss)
  })

  it('has the model of groups so far, and compares nothing', async () => {
    const { code, stdout, stderr } = await polyad(
      ['fit', iris, '-k', '8', '--groups', 'species', '--starts', '1000000', '--json', '--progress', 'json'],
      { when: [signalWhen('"pass":')] },
    )
    expect(code, stderr).toBe(130)
    expect(stderr).toContain('stopped early')
    const { stopped, groups } = JSON.parse(stdout)
    expect({ stopped, groups }).toEqual({ stopped: true, groups: undefined })
  })

  it('says so if there is no result yet', async () => {
    const { code, stdout, stderr } = await polyad(['test', iris, '-k', '8', '--starts', '1000000'], {
      when: [signalWhen('N = 150')],
    })
    expect(code, stderr).toBe(130)
    expect(stderr).toContain('stopped before there was a result')
    expect(stdout).toBe('')
  })

  it('leaves at once the second time, with nothing half-written', async () => {
    const output = scratch.path('twice.npz')
    const { code } = await polyad(['fit', iris, '-k', '8', '--starts', '1000000', '-o', output], {
      when: [signalWhen('N = 150'), signalWhen('Ctrl-C again')],
    })
    expect(code).toBe(130)
    // The second signal may come before the model is saved, or after: there is a whole file or none.
    const left = readdirSync(scratch.folder).filter(name => name.includes('twice'))
    expect([[], ['twice.npz']]).toContainEqual(left)
    for (const name of left) expect(modelFromNpz(readFileSync(scratch.path(name))).model.rank).toBe(8)
  })
})
