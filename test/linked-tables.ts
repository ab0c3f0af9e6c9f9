import { readFileSync } from 'node:fs'
import { type Tensor, tensorFromRows } from '@polyad/core'

/** Published tables whose rows belong together. */

const linesOf = (name: string): string[][] =>
  readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))

/** 1,446 women in 7 waves of a panel: whether they had a child, and whether they worked (Panel Study of Income Dynamics). */
export const psidRows = (): { id: number; wave: number; fertility: string; employment: string }[] => {
  let id = 0
  return linesOf('psid-waves.csv').flatMap(([sequence, women]) =>
    Array.from({ length: Number(women) }, () => {
      id++
      return Array.from({ length: 7 }, (_, t) => ({
        id,
        wave: t + 1,
        fertility: sequence[2 * t] === '1' ? 'yes' : 'no',
        employment: sequence[2 * t + 1] === '1' ? 'yes' : 'no',
      }))
    }).flat(),
  )
}

export const psid = (): Tensor => tensorFromRows(psidRows())

/** What 1,734 pupils of 45 schools have smoked (National Youth Tobacco Survey of 2018). */
export const nytsRows = (): Record<string, string | null>[] =>
  linesOf('nyts-schools.csv').flatMap(([school, level, sex, answers, pupils]) =>
    Array.from({ length: Number(pupils) }, () => ({
      school,
      level,
      sex,
      ...Object.fromEntries(
        ['cigarettes', 'cigars', 'smokeless', 'ecigarettes', 'hookah'].map((name, i) => [
          name,
          answers[i] === '-' ? null : answers[i] === '1' ? 'yes' : 'no',
        ]),
      ),
    })),
  )

export const nyts = (): Tensor => tensorFromRows(nytsRows().map(({ level: _, sex: __, ...row }) => row))
