import { inWords, type Naming, type Sentence, surveyTerm } from '@polyad/core/options'

const READING = 'under “Reading options”'
const FILE = 'under “How the file is read”'

/** The fields of the page for options of the library, and what advice to set one says here if its label does not do. */
const FIELDS: Readonly<Record<string, readonly [label: string, advice?: string]>> = {
  delimiter: ['“Delimiter”', `choose the delimiter ${FILE}`],
  encoding: ['its encoding', 'choose its encoding'],
  sheet: ['“Sheet or table”', `choose it ${FILE}`],
  missing: ['“Codes to treat as missing”', `add it ${READING}`],
  missingIn: ['“is missing” of its variable', 'choose these codes in the details of the variables'],
  where: ['“Only use rows where”', 'change the filter'],
  recode: ['“Categories” of the variable', 'change its categories in its details'],
  order: ['the order of its categories', 'to change it, move its categories in its details'],
  trim: ['“Trim spaces”'],
  ignoreCase: ['“Ignore case”'],
  timeZone: ['“Time zone”', `another zone can be chosen ${READING}`],
  top: ['“Categories to keep per variable”', `keep only its most frequent categories ${READING}`],
  items: ['“Treat as”', 'choose “Number” as its use'],
  bins: ['bins', 'choose bins in its details'],
  count: ['“Frequency”', 'choose “Frequency” as its use if it is one'],
  weights: ['“Weights”', 'choose “Weights” as its use'],
  cluster: ['clusters', 'use polyad fit --cluster'],
  strata: ['strata', 'use polyad fit --strata'],
  replicateWeights: ['replicate weights', 'use polyad fit --replicate-weights'],
  modes: ['the variables', 'choose the variables in the list of columns'],
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
