import { evaluate, fit, tensorFromRows } from '@polyad/core'
import { modelFromNpz, modelToJson, modelToNpz, readZip, writeZip } from '@polyad/core/file'
import fc from 'fast-check'
import { fitFigures } from 'polyad/report'
import { beforeAll, describe, expect, it } from 'vitest'
import { placeColour } from '../results/class-places.ts'
import { DEFAULTS } from '../store/settings.ts'
import type { Fits } from '../store/store.ts'
import { openModelFile, openProjectFile } from './open-project.ts'
import { isModelFile, isProjectFile, type Project, projectFile, projectParts } from './project-file.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The file with some of its members written otherwise; null takes one away. */
const altered = (file: Uint8Array, changes: Readonly<Record<string, Uint8Array | null>>): Uint8Array => {
  const members = readZip(file)
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) members.delete(name)
    else members.set(name, content)
  }
  return writeZip(members)
}

const described = (file: Uint8Array, change: (json: Record<string, unknown>) => unknown): Uint8Array => {
  const json = JSON.parse(new TextDecoder().decode(readZip(file).get('project.json')))
  return altered(file, { 'project.json': encode(JSON.stringify(change(json))) })
}

describe('the file of a project', () => {
  let [project, file] = [undefined as unknown as Project, new Uint8Array() as Uint8Array]

  beforeAll(async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ a: i % 2 ? 'x' : 'y', b: i % 3 ? '<b>' : 'v', c: i % 5 > 1 }))
    const tensor = tensorFromRows(rows.map(({ a, b, c }) => ({ a, b, c: String(c) })))
    const record = async (rank: number) => {
      const result = await fit(tensor, { rank, seed: 1 })
      const figures = fitFigures(tensor, result, 0.5, await evaluate(tensor, result.model))
      const { trace, attempts } = result
      const run = { result: { ...figures, trace, attempts } }
      return { rank, figures, file: modelToNpz(result.model, run), trace, attempts }
    }
    const fits = [await record(1), await record(2)]
    project = {
      name: 'Mine, with “quotes”',
      file: { from: 'bytes', name: 'répondants.csv', bytes: encode('a,b,c\nx,v,true\n') },
      settings: {
        ...DEFAULTS,
        timeZone: 'Europe/Berlin',
        columns: {
          a: { role: 'mode', recode: [{ from: ['x', 'y, z'], to: 'both' }], order: ['both', 'w'] },
          __proto__x: { bin: 'q5' },
        },
        where: "b = 'v'",
        missing: ['-9'],
        fit: { ...DEFAULTS.fit, graphics: true },
        classes: { 2: { names: ['<script>', null], colours: ['#1150b7', placeColour(2)] } },
      },
      fits: {
        fits,
        recommended: 2,
        reason: 'BIC is lowest for 2 classes',
        stopped: false,
        request: { ...DEFAULTS.fit, graphics: true, covariates: [], line: 'polyad rank x.csv' },
        graphics: 'used',
        read: { modes: ['a', 'b', 'c'], count: 'none' },
        digest: 'ab'.repeat(32),
        data: {
          modes: tensor.modes.map(({ name, labels, ordered }) => ({ name, labels: [...(labels ?? [])], ordered })),
          cells: tensor.cells,
          total: tensor.total,
          rows: 60,
          dropped: 0,
          missing: [false, false, false],
          notes: [{ kind: 'choice', text: 'a is a mode' }],
          digest: 'ab'.repeat(32),
          independence: fits[0].figures,
        },
      },
      rank: 2,
      screen: 'results',
      fitting: {
        request: { ...DEFAULTS.fit, covariates: ['d'], line: 'polyad fit x.csv' },
        read: { modes: ['a', 'b', 'c'], count: 'none' },
        adds: true,
        resumed: 1,
      },
    }
    file = projectFile(project)
  })

  it('opens with the names that figures had in older versions', () => {
    const older = (result: object) => {
      const { estimatedGain, verdict, ...rest } = result as Fits['fits'][number]['figures']
      const { chanceOfBetter, ...said } = verdict
      return { ...rest, remaining: estimatedGain, verdict: { ...said, better: chanceOfBetter } }
    }
    const models = project.fits?.fits.map(({ rank, file: own }) => {
      const { model, run } = modelFromNpz(own)
      return [`models/${rank}.npz`, modelToNpz(model, { ...run, result: older(run.result as object) })] as const
    })
    const opened = openProjectFile(
      described(altered(file, Object.fromEntries(models ?? [])), ({ fits, ...json }) => {
        const { data, ...found } = fits as Fits
        return { ...json, fits: { ...found, data: { ...data, independence: older(data.independence as object) } } }
      }),
    )
    expect(opened.fits?.fits.map(({ figures }) => figures)).toEqual(project.fits?.fits.map(({ figures }) => figures))
    expect(opened.fits?.data).toEqual(project.fits?.data)
  })

  it.each([
    ['look', 'results'],
    ['use', 'classify'],
    ['take', 'export'],
  ])('opens at the step that was once called %s', (former, now) => {
    expect(openProjectFile(described(file, json => ({ ...json, screen: former }))).screen).toBe(now)
  })

  it('opens again as it was', () => {
    expect(isProjectFile(file)).toBe(true)
    const opened = openProjectFile(file)
    // What JSON cannot hold is null in figures, as in the models' files.
    expect(JSON.parse(JSON.stringify(opened.fits?.data))).toEqual(JSON.parse(JSON.stringify(project.fits?.data)))
    expect(opened.settings).toEqual(project.settings)
    expect(opened.fits).toMatchObject({ graphics: 'used', request: { graphics: true } })
    expect({ ...opened, fits: null }).toEqual({ ...project, fits: null })
    expect(opened.fits?.fits.map(each => each.file)).toEqual(project.fits?.fits.map(each => each.file))
    expect(opened.fits?.fits[1].figures.logLikelihood).toBe(project.fits?.fits[1].figures.logLikelihood)
    expect(opened.fits?.fits[1].trace).toEqual(project.fits?.fits[1].trace)
  })

  it('is the same bytes for the same project, and opens without data or fits too', () => {
    const again = projectFile(openProjectFile(file))
    expect(projectFile(openProjectFile(again))).toEqual(again)
    const empty: Project = { ...project, file: null, fits: null, rank: null }
    expect(openProjectFile(projectFile(empty))).toEqual(empty)
    expect(projectParts(empty).models).toEqual([])
  })

  it('takes labels, notes and names of any length that a table may have', () => {
    const long = 'x'.repeat(200_000)
    const data = { ...(project.fits as Fits).data, notes: [{ kind: 'choice', text: long }] as const }
    const modes = [{ ...data.modes[0], labels: [long, 'b'] }, ...data.modes.slice(1)]
    const of: Project = { ...project, name: long, fits: { ...(project.fits as Fits), data: { ...data, modes } } }
    const opened = openProjectFile(projectFile(of))
    expect(opened.name).toBe(long)
    expect(opened.fits?.data.modes[0].labels).toEqual([long, 'b'])
    expect(opened.fits?.data.notes[0].text).toBe(long)
  })

  it.each([
    ['nothing', () => new Uint8Array(), /cut short, or is of another kind/],
    ['a table', () => encode('a,b\n1,2\n'.repeat(100)), /cut short, or is of another kind/],
    ['half of it', () => file.slice(0, file.length >> 1), /not a usable zip archive/],
    ['another zip', () => writeZip(new Map([['x', encode('y')]])), /has no project\.json/],
    ['text that is no JSON', () => altered(file, { 'project.json': encode('{') }), /is not JSON/],
    ['null', () => altered(file, { 'project.json': encode('null') }), /format must be polyad-project/],
    ['a list', () => altered(file, { 'project.json': encode('[]') }), /format must be/],
    ['another format', () => described(file, json => ({ ...json, format: 'x' })), /format must be polyad-project/],
    ['a newer one', () => described(file, json => ({ ...json, version: 2 })), /needs a newer Polyad/],
    ['no version', () => described(file, json => ({ ...json, version: 'x' })), /version must be 1/],
    ['no settings', () => described(file, json => ({ ...json, settings: 5 })), /settings must be an object/],
    ['a model less', () => altered(file, { 'models/2.npz': null }), /lacks the model of 2 classes/],
    ['a broken model', () => altered(file, { 'models/2.npz': encode('x') }), /not a usable/],
    [
      'the wrong model',
      () => altered(file, { 'models/2.npz': readZip(file).get('models/1.npz') ?? null }),
      /2 classes/,
    ],
    ['no data', () => altered(file, { 'data/répondants.csv': null }), /the data of répondants\.csv is not in it/],
    [
      'a screen of its own',
      () => described(file, json => ({ ...json, screen: 'javascript:' })),
      /screen must be one of/,
    ],
    [
      'a colour that is more than one',
      () =>
        described(file, json => ({
          ...json,
          settings: { ...project.settings, classes: { 2: { names: [], colours: ['red;background:url(//x)'] } } },
        })),
      /classes\.2\.colours\[0\] must be a colour/,
    ],
    [
      'a label of another kind',
      () =>
        described(file, json => ({
          ...json,
          fits: { ...(json.fits as object), data: { ...project.fits?.data, modes: [{ name: 'a', labels: [true] }] } },
        })),
      /labels\[0\] must be a text or a finite number \(got true\)/,
    ],
    [
      'data from nowhere',
      () => described(file, json => ({ ...json, file: { from: 'sky', name: 'a' } })),
      /file\.from must be one of server, bytes/,
    ],
    [
      'data without a name',
      () => described(file, json => ({ ...json, file: { from: 'server', id: 'a' } })),
      /file\.name must be text/,
    ],
    [
      'figures that are none',
      () =>
        described(file, json => ({
          ...json,
          fits: { ...(json.fits as object), data: { ...project.fits?.data, independence: { rank: 1 } } },
        })),
      /independence must be figures/,
    ],
    [
      'a flipped bit',
      () => {
        const flipped = file.slice()
        flipped[file.length >> 1] ^= 4
        return flipped
      },
      /not a usable project file/,
    ],
  ])('refuses %s', (_, make, words) => {
    expect(() => openProjectFile(make())).toThrow(words)
    expect(() => openProjectFile(make())).toThrow(/^this is not a usable project file: /)
  })

  it('opens models of the command line, without data', () => {
    const npz = project.fits?.fits[1].file ?? new Uint8Array()
    const { model, run } = modelFromNpz(npz)
    const json = encode(JSON.stringify({ ...modelToJson(model), run }, null, 1))
    expect([npz, json, file, encode('{"a":1}')].map(isModelFile)).toEqual([true, true, false, false])
    for (const bytes of [npz, json]) {
      const opened = openModelFile('two.npz', bytes)
      expect([opened.name, opened.file, opened.rank]).toEqual(['two', null, 2])
      expect(modelFromNpz(opened.fits?.fits[0].file ?? npz).model.parameters).toEqual(model.parameters)
      expect(openProjectFile(projectFile(opened))).toEqual(opened)
    }
    expect(() => openModelFile('x.npz', modelToNpz(model))).toThrow(/does not record how it was fitted/)
    expect(() => openModelFile('x.npz', npz.slice(0, 500))).toThrow(/not a usable/)
  })

  it('refuses in words whatever is done to its description', () => {
    const json = JSON.parse(new TextDecoder().decode(readZip(file).get('project.json')))
    /** Every place in it, but those within figures and labels. */
    const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
      typeof value === 'object' && value !== null && path.length < 4
        ? Object.entries(value).flatMap(([key, each]) => [[...path, key], ...places(each, [...path, key])])
        : []
    const put = (value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown => {
      const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
      copy[key] = rest.length === 0 ? to : put(copy[key], rest, to)
      return copy
    }
    fc.assert(
      fc.property(fc.constantFrom(...places(json)), fc.jsonValue(), (path, to) => {
        const bytes = altered(file, { 'project.json': encode(JSON.stringify(put(json, path, to))) })
        try {
          openProjectFile(bytes)
        } catch (error) {
          expect((error as Error).message).toMatch(/^this is not a usable project file: (?!.*\bundefined\b)/)
        }
      }),
      { numRuns: 200 },
    )
  })
})
