import { inWords, type Naming, type Sentence, surveyTerm } from '@polyad/core/options'

const READING = 'under “How values are read”'

/** The fields of the page for options of the library, and what advice to set one says here if its label does not do. */
const FIELDS: Readonly<Record<string, readonly [label: string, advice?: string]>> = {
  delimiter: ['“Between the values of a line is”', `say by what ${READING}`],
  encoding: ['its encoding', 'save it as UTF-8'],
  sheet: ['“Sheet or table”', `choose it ${READING}`],
  missing: ['“Means missing”', `say so ${READING}`],
  missingIn: ['“is missing” of its variable', 'click on the codes of these variables above'],
  trim: ['“Take blanks off both ends”'],
  ignoreCase: ['“Join labels that differ only by capitals”'],
  timeZone: ['“Time zone”', `another zone can be chosen ${READING}`],
  top: ['“Keep this many of the most frequent labels”', `keep its most frequent labels ${READING}`],
  bins: ['a cut', 'bins can be chosen above'],
  count: ['“Counts”', 'choose its use above if it counts'],
  weights: ['“Weight of the row”', 'choose “Weight of the row” as its use above'],
  cluster: ['clusters', 'use polyad fit --cluster'],
  strata: ['strata', 'use polyad fit --strata'],
  replicateWeights: ['replicate weights', 'use polyad fit --replicate-weights'],
  modes: ['the modes', 'choose modes above'],
  rank: ['“Classes”'],
  seed: ['“Seed”'],
  pseudoCounts: ['“Prior (pseudo-counts)”'],
  smoothing: ['“Smoothing of ordered variables”'],
  maxSeconds: ['“Time limit, in seconds”'],
  maxPasses: ['its passes', 'fit again with another “Seed”'],
  starts: ['its starts', 'fit again with another “Seed”'],
}

/** How the page names options of the library: by its own fields. */
export const pageNaming: Naming = mention => {
  if (mention.term) return surveyTerm(mention.option)
  const [label, advice] = FIELDS[mention.option] ?? []
  if (label === undefined) return inWords([mention])
  return mention.lead === undefined ? label : (advice ?? `${mention.lead} ${label}`)
}

/** What the library says, for somebody before a page. */
export const pageWords = (text: Sentence): string => inWords(text, pageNaming)
