import { readdirSync, readFileSync } from 'node:fs'
import { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { mutate, randomNumbers } from '../../../../../test/mutations.ts'
import { readSurvey } from '../formats/formats.ts'
import { surveyTable } from './survey-table.ts'

const folder = new URL('../../../../../test/data/survey/', import.meta.url)
const files = readdirSync(folder).filter(name => /\.(z?sav|dta)$/.test(name))

/** Mutations of every file. */
const MUTATIONS = 60

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
