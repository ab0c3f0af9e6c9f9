import { runsOff } from '../figures/covariate-figures.ts'
import { effectTerm, effectWords, type LinkedCoefficient } from '../figures/effect-words.ts'
import type { EffectFigures } from '../figures/linked-figures.ts'
import { DASH, digits, fixed, pValue } from '../numbers.ts'
import { TEST, testCells } from './distal-text.ts'
import { type Page, textTable } from './text-table.ts'

const classOf = ({ class: k, stays }: LinkedCoefficient): string => `${k}${stays === true ? ' (stayers)' : ''}`

const ODDS = { '∞': '→ ∞', '−∞': '→ 0', [DASH]: DASH } as const

/** The coefficients of covariates on the classes of rows that belong together. */
export const effectsText = (effects: readonly EffectFigures[], page: Page): string[] =>
  effects.flatMap(({ on, coefficients, tests }) => {
    const off = coefficients.map(runsOff)
    const isMoving = on === 'transitions'
    const { title, reference } = effectWords(on)
    return [
      page.style('bold', title) + page.style('dim', `   multinomial logit; reference: ${reference}`),
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
          effectTerm(each, on),
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
