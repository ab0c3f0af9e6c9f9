/** A file of the guides and examples that comes with the package. */
export interface Example {
  readonly name: string
  /** Within the package. */
  readonly file: string
  readonly text: string
  /** A command to try with it. */
  readonly next?: string
}

const REPOSITORY = 'site/repository/examples'

/** In the order in which they are listed. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'survey',
    file: `${REPOSITORY}/survey/survey.csv`,
    text: '1,721 pupils answer eight questions; weights, schools, regions (generated)',
    next: 'polyad rank survey.csv -k 1..6',
  },
  {
    name: 'carcinoma',
    file: 'studio/examples/carcinoma.csv',
    text: 'seven pathologists judge 118 slides (Agresti 2002, from poLCA)',
    next: 'polyad rank carcinoma.csv -k 1..4',
  },
  {
    name: 'election',
    file: 'studio/examples/election.csv',
    text: '1,785 people judge two candidates in twelve questions (ANES 2000, from poLCA)',
    next: 'polyad fit election.csv -k 3 --exclude VOTE3,AGE,EDUC,GENDER,PARTY',
  },
  {
    name: 'hair-eye',
    file: 'studio/examples/hair-eye-colour.csv',
    text: 'hair and eye colour of 592 students, by sex (Snee 1974)',
    next: 'polyad independence hair-eye-colour.csv',
  },
  {
    name: 'iris',
    file: 'data/iris.csv',
    text: '150 flowers of three species: four measurements (Fisher 1936)',
    next: 'polyad fit iris.csv -k 3 --exclude species --continuous sepal_length,sepal_width,petal_length,petal_width',
  },
  {
    name: 'events',
    file: `${REPOSITORY}/events/events.csv`,
    text: 'a log of events with unusual ones among them (generated)',
    next: 'polyad fit events.csv -k 4',
  },
  {
    name: 'words',
    file: `${REPOSITORY}/topics/words.csv`,
    text: 'word counts of documents, for topics (generated)',
    next: 'polyad fit words.csv -k 4',
  },
  { name: 'python', file: 'site/guides/polyad.py', text: 'polyad.py: call Polyad from Python, and read its models' },
  { name: 'r', file: 'site/guides/polyad.R', text: 'polyad.R: call Polyad from R, and read its models' },
]
