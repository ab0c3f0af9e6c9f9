import { inWords, type Naming, type Sentence, surveyTerm, type Wording } from '@polyad/core/options'

const READING = 'under “Reading options”'
const FILE = 'under “How the file is read”'

/** The fields of the page for options of the library, and what advice to set one says here if its label does not do. */
const FIELDS: Readonly<Record<string, readonly [label: string, advice?: string]>> = {
  delimiter: ['“Delimiter”', `choose the delimiter ${FILE}`],
  encoding: ['its encoding', 'choose its encoding'],
  sheet: ['“Sheet or table”', `choose it ${FILE}`],
  missing: ['“Codes to treat as missing”', 'add the codes under “Missing codes” in the details of the variables'],
  missingIn: ['“Missing codes” of its variable', 'add the codes under “Missing codes” in the details of the variables'],
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
  cluster: ['“Cluster”', 'choose “Cluster” as its use'],
  strata: ['“Strata”', 'choose “Strata” as its use'],
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

/** What the library says, for somebody before a page. Advice of several options in a row is one place on the page. */
export const pageWords = (text: Sentence): string =>
  inWords(typeof text === 'string' ? text : withoutRepeats(text), pageNaming)

/** A list of options to set, as its first: the command line names one option for each variable. */
const withoutRepeats = (text: Wording): Wording => {
  const isMention = (i: number): boolean => typeof text[i] === 'object'
  const isRepeat = (i: number): boolean => isMention(i) && text[i - 1] === ', ' && isMention(i - 2)
  return text.filter((_, i) => !isRepeat(i) && !isRepeat(i + 1))
}
