import { runsOff } from '../figures/covariate-figures.ts'
import type { EffectFigures } from '../figures/linked-figures.ts'
import { DASH, digits, fixed, pValue } from '../numbers.ts'
import { TEST, testCells } from './distal-text.ts'
import { type Page, textTable } from './text-table.ts'

/** What each kind of effect is on, and what its classes are compared with. */
const TITLES = {
  initial: ['class at the first wave', 'reference: class 1'],
  transitions: ['transitions', 'reference: the class that is left'],
  mixes: ['class membership', 'reference: class 1; group classes differ in their intercepts'],
  groups: ['classes of groups', 'reference: group class 1'],
} as const

type Coefficient = EffectFigures['coefficients'][number]

/** Several intercepts are those of steps, or of group classes. */
const termOf = ({ term, of }: Coefficient, on: EffectFigures['on']): string =>
  of === null ? term : `${term}, ${on === 'transitions' ? 'step' : 'group class'} ${of}`

const classOf = ({ class: k, stays }: Coefficient): string => `${k}${stays === true ? ' (stayers)' : ''}`

const ODDS = { '∞': '→ ∞', '−∞': '→ 0', [DASH]: DASH } as const

/** The coefficients of covariates on the classes of rows that belong together. */
export const effectsText = (effects: readonly EffectFigures[], page: Page): string[] =>
  effects.flatMap(({ on, coefficients, tests }) => {
    const off = coefficients.map(runsOff)
    const isMoving = on === 'transitions'
    const [title, reference] = TITLES[on]
    return [
      page.style('bold', title) + page.style('dim', `   multinomial logit; ${reference}`),
      ...textTable(
        [
          ...(isMoving ? [{ title: 'from', align: 'right' as const, repeated: true }] : []),
          { title: isMoving ? 'to' : 'class', align: 'right' as const, repeated: true },
          { title: 'term', repeated: true },
          ...['estimate', 's.e.', 'p', 'odds ratio', '95%'].map(name => ({ title: name, align: 'right' as const })),
        ],
        coefficients.map((each, i) => [
          ...(isMoving ? [String(each.from)] : []),
          classOf(each),
          termOf(each, on),
          off[i] === undefined ? digits(each.estimate) : off[i] === DASH ? DASH : `→ ${off[i]}`,
          digits(each.standardError),
          pValue(each.pValue),
          off[i] === undefined ? fixed(each.oddsRatio, 3) : ODDS[off[i]],
          each.interval === null ? DASH : `${fixed(each.interval[0], 3)} to ${fixed(each.interval[1], 3)}`,
        ]),
        page,
      ),
      ...(off.some(each => each === '∞' || each === '−∞')
        ? [
            '  →: no finite estimate: the likelihood rises as the coefficient grows, for example if a category never occurs',
          ]
        : []),
      '',
      ...textTable(
        [{ title: 'covariate', most: 32, repeated: true }, ...TEST],
        tests.map(({ covariate, test }) => [covariate, ...testCells(test)]),
        page,
      ),
      '',
    ]
  })
