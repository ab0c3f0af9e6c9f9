import { random } from '@polyad/core/numeric'
import { expect } from 'vitest'
import { polyad } from './run-polyad.ts'
import type { testFolder } from './test-folder.ts'

/** Small tables with everything that is hard to read, and models of many kinds, for tests that read them in two ways. */

const { uniform: chance } = random(7, 'sample')
const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)]
const HEADER = 'a,b,c,x,when,age,wt,n,school,zone,class,"say ""so"""'
/** Rows of two kinds, with values that are missing, in quotes, new, and written in several ways. */
const table = (rows: number, odd: boolean): string => {
  const lines = Array.from({ length: rows }, (_, i) => {
    const up = chance() < 0.5
    const answer = (yes: string, no: string) => (chance() < (up ? 0.8 : 0.2) ? yes : no)
    const strange = odd && chance() < 0.2
    return [
      strange ? pick(['', 'NA', '"y,es"', ' yes', 'new']) : answer('yes', 'no'),
      strange ? pick(['9', '', '""', '1.0', '+2']) : answer(pick(['1', '2']), pick(['3', '4'])),
      strange ? pick(['', '"two\nlines"', 'Ünï', 'LOW']) : answer('low', pick(['high', 'middle'])),
      strange ? pick(['', '99.5', '-3', 'abc']) : (chance() * 10 + (up ? 3 : 0)).toFixed(2),
      `2024-0${1 + Math.floor(chance() * 6)}-1${i % 10}`,
      strange ? pick(['', 'old', '1e2']) : 20 + Math.floor(chance() * 50),
      (0.1 + chance() * 3).toFixed(3),
      pick(['1', '2', '3', '0', '2.5']),
      `s${(i * 7) % 40}`,
      `z${((i * 7) % 40) % 3}`,
      up ? 'A' : 'B',
      pick(['', '"a ""quote"""', "'single'", 'tab\there', ' ']),
    ].join(',')
  })
  return `${HEADER}\n${lines.join('\n')}\n`
}
export const DATA = table(400, false)
export const NEW_ROWS = table(2100, true)

/** Models of one data set, by the options of polyad fit. */
export const MODELS: Readonly<Record<string, readonly string[]>> = {
  plain: ['-m', 'a,b,c'],
  cleaned: ['-m', 'a,b,c', '--trim', '--ignore-case', '--recode', 'b:1,2=few,3=many', '--missing', '9'],
  cut: ['-m', 'a,b,c,x,when', '--bin', 'x:q4', '--bin', 'when:month', '--top', '9', '--missing-as', 'unknown'],
  widths: ['-m', 'a,c,x', '--bin', 'x:2.5', '--where', 'age > 25'],
  weighted: ['-m', 'a,b,c', '--weights', 'wt', '--cluster', 'school', '--strata', 'zone'],
  counted: ['-m', 'a,b,c', '--count', 'n'],
  covariates: ['-m', 'a,b,c', '--covariates', 'age,zone,age*zone'],
  named: ['-m', 'a,c', '--init', 'named'],
}

/** A file with one of these models. */
export const fittedModel = async (files: ReturnType<typeof testFolder>, name: string): Promise<string> => {
  const path = files.path(`${name}.npz`)
  const source = files.file('data.csv', DATA)
  const args = ['fit', source, '-k', '2', '--starts', '2', '--threads', '1', ...MODELS[name], '-o', path]
  const ended = await polyad(args.includes('named') ? ['train', source, '--class', 'class', '--modes', 'a,c,class', '-o', path] : args) // biome-ignore format: one choice
  expect(ended.code, ended.stderr).toBe(0)
  return path
}
