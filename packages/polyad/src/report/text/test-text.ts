import type { FitResult, RankTest } from '@polyad/core'
import { counted, fixed, isBound, simulatedP, simulatedText, simulatedValue } from '../numbers.ts'
import { pairs } from './fit-text.ts'
import type { Page } from './text-table.ts'

/** The two fits in the object of `--json`. */
export const testedFit = ({ model, logLikelihood, converged, verdict }: FitResult) => ({
  rank: model.rank,
  logLikelihood,
  shares: model.shares,
  converged,
  reached: verdict.reached,
  attempts: verdict.attempts,
})

const ENDED: Readonly<Record<RankTest['reason'], string>> = {
  all: 'all were run',
  clear: 'stopped early, because the conclusion would not change',
  stopped: 'stopped before all were drawn',
}

/** A test of a number of classes against a larger one, for the terminal. */
export const testText = (test: RankTest, fits: readonly FitResult[], level: number, page: Page): string[] => {
  const { style } = page
  const { rank, against, statistic, replicates, converged, reason, loMendellRubin: lmr } = test
  const [low, high] = test.interval
  const sides = [counted(rank, 'class', 'classes'), `${against}`]
  const verdict =
    replicates === 0
      ? style('yellow', 'no replicate was finished: give it more time')
      : low <= level && high >= level
        ? style('yellow', `too close to the level of ${level} to decide: draw more replicates`)
        : style(
            'green',
            `${sides[0]} ${rank === 1 ? 'is' : 'are'} ${test.pValue < level ? '' : 'not '}rejected in favour of ${against}`,
          )
  return [
    style('bold', `${sides[0]} against ${sides[1]}`),
    ...pairs(
      [
        ...fits.map(({ model, logLikelihood }) => [`log-likelihood, ${model.rank}`, fixed(logLikelihood, 4)] as const),
        ['likelihood ratio', fixed(statistic, 4)],
        ['p by bootstrap', replicates === 0 ? '–' : isBound(test) ? simulatedValue(test) : simulatedP(test)],
      ],
      page,
    ),
    `  ${isBound(test) ? simulatedText(test, '', reason === 'clear' ? '--all for more' : undefined) : counted(replicates, 'replicate')}: ${ENDED[reason]}${converged < replicates ? `; ${counted(replicates - converged, 'replicate')} did not converge` : ''}`,
    `  ${verdict}`,
    '',
    style('bold', 'Lo–Mendell–Rubin, adjusted') + style('dim', '   for comparison with other programs'),
    `  ${fixed(lmr.statistic, 4)}, ${counted(lmr.degreesOfFreedom, 'degree')} of freedom; no p-value, because χ² is not its distribution`,
  ]
}
