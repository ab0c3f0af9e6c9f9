import { type Tensor, tensorFromArray, tensorFromCoordinates } from '@polyad/core'

/** Published tables of counts, each pattern of category codes (from 1) with how often it was seen. */

const patterns = (text: string, modes: string[], shape: number[]): Tensor => {
  const entries = text.trim().split(/\s+/).map(entry => entry.split(':')) // biome-ignore format: one chain
  const cells = entries.map(([codes]) => [...codes].map(code => Number(code) - 1))
  const counts = entries.map(([, count]) => Number(count))
  return tensorFromCoordinates(cells, counts, { modes, shape })
}

/** Alcohol, cigarettes, marijuana (Agresti). */
export const acm = patterns(
  '111:911 112:538 121:44 122:456 211:3 212:43 221:2 222:279',
  ['alcohol', 'cigarette', 'marijuana'],
  [2, 2, 2],
)

/** Hair, eye and sex of 592 students. */
export const hairEyeColor = tensorFromArray(
  [
    [[32, 36], [11, 9], [10, 5], [3, 2]],
    [[53, 66], [50, 34], [25, 29], [15, 14]],
    [[10, 16], [10, 7], [7, 7], [7, 7]],
    [[3, 4], [30, 64], [5, 5], [8, 8]],
  ], // biome-ignore format: a table
  {
    modes: [
      { name: 'hair', labels: ['Black', 'Brown', 'Red', 'Blond'] },
      { name: 'eye', labels: ['Brown', 'Blue', 'Hazel', 'Green'] },
      { name: 'sex', labels: ['male', 'female'] },
    ],
  },
)

/** Pleural thickening, three readers (Dayton 1998). */
export const pleural = patterns(
  '111:1513 112:23 121:59 122:12 211:21 212:19 221:11 222:34',
  ['reader1', 'reader2', 'reader3'],
  [2, 2, 2],
)

/** Carcinoma of the cervix, seven pathologists (Agresti 2002, table 13.1). */
export const carcinoma = patterns(
  `1111111:34 1111211:2 1211111:6 1211112:1 1211211:4 1211212:5 2111111:2 2121212:1 2211111:2 2211112:1
   2211211:2 2211212:7 2211222:1 2212112:1 2212212:2 2212222:3 2221212:13 2221222:5 2222212:10 2222222:16`,
  ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
  [2, 2, 2, 2, 2, 2, 2],
)

/** Universalistic or particularistic values (Stouffer and Toby; Goodman 1974). */
export const values = patterns(
  `1111:20 1112:2 1121:9 1122:2 1211:6 1212:1 1221:4 1222:1 2111:38 2112:7 2121:24 2122:6 2211:25 2212:6 2221:23 2222:42`,
  ['A', 'B', 'C', 'D'],
  [2, 2, 2, 2],
)

/** Attitudes to surveys, General Social Survey 1982 (McCutcheon 1987). */
export const gss82 = patterns(
  `1111:419 1112:35 1113:2 1121:71 1122:25 1123:5 1211:270 1212:25 1213:4 1221:42 1222:16 1223:5
   2111:23 2112:4 2113:1 2121:6 2122:2 2211:43 2212:9 2213:2 2221:9 2222:3 2223:2
   3111:26 3112:3 3121:1 3122:2 3211:85 3212:23 3213:6 3221:13 3222:12 3223:8`,
  ['PURPOSE', 'ACCURACY', 'UNDERSTA', 'COOPERAT'],
  [3, 2, 2, 3],
)

/** Admissions to six departments at Berkeley, 1973: admitted, sex, department. */
export const admissions = tensorFromArray(
  [
    [[512, 353, 120, 138, 53, 22], [89, 17, 202, 131, 94, 24]],
    [[313, 207, 205, 279, 138, 351], [19, 8, 391, 244, 299, 317]],
  ], // biome-ignore format: a table
  { modes: ['admitted', 'sex', 'department'] },
)
