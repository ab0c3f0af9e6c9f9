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

/** The same women with what explains their work: race, age (centered), education, children of four ages (at every wave), and income. */
export const psidWomen = (): Record<string, number | string>[] =>
  linesOf('psid-women.csv').flatMap(([race, age, education, answers, children, income], id) =>
    income.split(' ').map((thousands, t) => ({
      id,
      wave: t + 1,
      fertility: answers[2 * t] === '1' ? 'yes' : 'no',
      employment: answers[2 * t + 1] === '1' ? 'yes' : 'no',
      race: Number(race),
      age: Number(age),
      age2: Number(age) ** 2 / 100,
      education: Number(education),
      ...Object.fromEntries([0, 1, 2, 3].map(n => [`child${n + 1}`, Number(children[4 * t + n])])),
      income: Number(thousands),
    })),
  )

/** How satisfied 1,718 people were with their job in 7 waves, from 1 to 5 (Russia Longitudinal Monitoring Survey). */
export const jobSatisfaction = (): Tensor => {
  let id = 0
  return tensorFromRows(
    linesOf('job-satisfaction.csv').flatMap(([sequence, people]) =>
      Array.from({ length: Number(people) }, () => {
        id++
        return Array.from(sequence, (satisfaction, t) => ({ id, wave: t + 1, satisfaction }))
      }).flat(),
    ),
  )
}

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
