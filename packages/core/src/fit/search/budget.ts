/** How a search that must be economical shares out its passes. All of it follows from the limit of passes and from what the starts took. */

/** The fewest passes that are worth giving to a run, and to a start that may be wide. */
export const WORTHWHILE = 60
const WIDE_WORTHWHILE = 80
/** And to settling: fewer would only be plain EM, with which every run begins. */
const SETTLING_WORTHWHILE = 20

/** Passes kept for taking the best to its end, if passes are cheap: at most this many, and at most this part of all. */
const RESERVE = { most: 60, share: 0.1 }

export const reserve = (maxPasses: number): number => Math.min(RESERVE.most, RESERVE.share * maxPasses)

/**
 * Parts of all passes: what the first starts may take together, and with further ones; the run after a recombination; an attempt that is
 * settled before the close; what is kept for the close. If four starts may take all, nothing is left for recombination on data where EM is
 * slow; with 0.4 for further starts too, Enron had too few recombinations. Chosen with other seeds and rows than those of
 * bench/RESULTS.md.
 */
const PART = { starts: 0.4, moreStarts: 0.2, recombination: 0.05, settling: 0.04, close: 0.06 }

/** The number of starts, and the passes that each is thought to take if that is not known. */
export const STARTS = { least: 4, most: 24, passesEach: 750 }

/** The most passes of runs of an economical search. */
export interface PassBudget {
  /** Of each start. */
  readonly start: number
  /** Of the run after a recombination. */
  readonly recombination: number
  /** Of a run that takes an attempt nearer to its end before the search closes. */
  readonly settling: number
  /** What is kept for the run that finishes the best. */
  readonly close: number
}

/** @param starts that are made together */
export const passBudget = (maxPasses: number, starts: number): PassBudget => {
  const settling = Math.floor(PART.settling * maxPasses)
  return {
    start: Math.max(WIDE_WORTHWHILE, Math.floor((PART.starts * maxPasses) / starts)),
    recombination: Math.max(WORTHWHILE, Math.floor(PART.recombination * maxPasses)),
    settling: settling < SETTLING_WORTHWHILE ? 0 : settling,
    close: Math.max(reserve(maxPasses), Math.floor(PART.close * maxPasses)),
  }
}

/** How many starts are worth making, in whole batches, by what one has cost so far. */
export const startsWorth = (maxPasses: number, costOfOne: number, batch: number): number => {
  const affordable = Math.floor((PART.moreStarts * maxPasses) / costOfOne / batch) * batch
  return Math.max(STARTS.least, Math.min(STARTS.most, affordable))
}

/** The passes of each of the next starts if those that are left share what is left: two at least. */
export const evenShare = (passesLeft: number, startsLeft: number): number =>
  Math.max(2, Math.floor(passesLeft / startsLeft))
