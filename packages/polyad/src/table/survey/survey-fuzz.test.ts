import { readdirSync, readFileSync } from 'node:fs'
import { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { readSurvey, surveyTable } from './survey-table.ts'

const folder = new URL('../../../../../test/data/survey/', import.meta.url)
const files = readdirSync(folder).filter(name => /\.(z?sav|dta)$/.test(name))

/** A small generator, so that a failure can be repeated. */
const randomNumbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** Mutations of every file. */
const MUTATIONS = 60

/** One to four bytes changed, a number overwritten with an extreme one, the end cut off, or a piece left out. */
const mutate = (bytes: Uint8Array, random: () => number): Uint8Array => {
  const at = (length: number) => Math.floor(random() * length)
  // Most of what can mislead a reader stands at the beginning or at the end.
  const place = () => (random() < 0.6 ? at(Math.min(bytes.length, 2000)) : at(bytes.length))
  const kind = at(5)
  if (kind === 0) return bytes.slice(0, place())
  if (kind === 1) {
    const from = place()
    return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + 1 + at(40))])
  }
  const changed = bytes.slice()
  if (kind === 2) {
    const values = [0x7fffffff, -1, -0x80000000, 0x10000000, 65_535, 0]
    const from = Math.min(place(), Math.max(0, bytes.length - 4))
    new DataView(changed.buffer).setInt32(from, values[at(values.length)], random() < 0.7)
  } else for (let n = 0; n <= at(4); n++) changed[place()] = at(256)
  return changed
}

describe('files that are damaged', () => {
  it.each(files)('%s is read, or refused by a DataError that names it', async name => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
    const random = randomNumbers(bytes.length)
    let refused = 0
    for (let n = 0; n < MUTATIONS; n++) {
      const damaged = mutate(bytes, random)
      try {
        const { rows, columns } = surveyTable(await readSurvey(name, damaged, name.endsWith('.dta') ? 'dta' : 'sav'))
        expect(columns.every(({ codes }) => codes.length === rows)).toBe(true)
      } catch (error) {
        expect(error, `mutation ${n}`).toBeInstanceOf(DataError)
        expect((error as Error).message, `mutation ${n}`).toContain(name)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(0)
  })

  it.each(files)('%s is refused wherever it is cut short before its data ends', async name => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
    for (let share = 0; share < 0.9; share += 0.1) {
      const cut = bytes.slice(0, Math.floor(share * bytes.length))
      await expect(readSurvey(name, cut, name.endsWith('.dta') ? 'dta' : 'sav')).rejects.toThrow(DataError)
    }
  })
})
