import type { FitResult, RankTest } from '@polyad/core'
import { pairs } from './fit-text.ts'
import { counted, fixed, pText, simulatedP } from './numbers.ts'
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
  clear: 'stopped early, because the conclusion would not change (--all runs every one)',
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
        : test.pValue < level
          ? style(
              'green',
              `${sides[0]} ${rank === 1 ? 'is' : 'are'} rejected in favour of ${against} (${pText(test.pValue)})`,
            )
          : style(
              'green',
              `${sides[0]} ${rank === 1 ? 'is' : 'are'} not rejected in favour of ${against} (${pText(test.pValue)})`,
            )
  return [
    style('bold', `${sides[0]} against ${sides[1]}`),
    ...pairs(
      [
        ...fits.map(({ model, logLikelihood }) => [`log-likelihood, ${model.rank}`, fixed(logLikelihood, 4)] as const),
        ['likelihood ratio', fixed(statistic, 4)],
        ['p by bootstrap', replicates === 0 ? '–' : simulatedP(test)],
      ],
      page,
    ),
    `  ${counted(replicates, 'replicate')}: ${ENDED[reason]}${converged < replicates ? `; ${counted(replicates - converged, 'of them', 'of them')} did not converge` : ''}`,
    `  ${verdict}`,
    '',
    style('bold', 'Lo–Mendell–Rubin, adjusted') +
      style('dim', '   for comparison with other programs: do not rely on it'),
    `  ${fixed(lmr.statistic, 4)}, ${counted(lmr.degreesOfFreedom, 'degree')} of freedom, ${pText(lmr.pValue)} by χ², which is not its distribution`,
  ]
}
