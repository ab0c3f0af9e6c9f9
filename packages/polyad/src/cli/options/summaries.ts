/** What every command does, in the order of the help. This is all that `polyad --help` loads of the commands. */
export const SUMMARIES = {
  fit: 'find latent classes in a table',
  rank: 'compare numbers of classes and recommend one',
  test: 'test a number of classes against a larger one',
  independence: 'fit the one-class (independence) model and test it',
  update: 'bring a model up to date with new data',
  classify: 'assign every row of a table to a class',
  distal: 'compare a distal outcome between the classes of a model',
  regress: 'regress class membership on covariates (three-step)',
  train: 'learn known classes (naive Bayes)',
  show: 'show everything about a model',
  report: 'write a report on a model: results in words, charts, tables, a paragraph to cite',
  plot: 'draw a chart of a model: SVG, PDF, EPS, PNG or TIFF',
  table: 'make a table for a paper: Word, Excel, LaTeX, Markdown, CSV or HTML',
  drift: 'show what has changed between two models',
  compare: 'match the classes of two models',
  sample: 'draw rows from a model',
  impute: 'fill missing values from a model',
  convert: 'convert data or models to another format',
  studio: 'open a page in your browser to read tables and explore their classes; data stays on this machine',
  clean: 'remove the working tables that runs have left in a database',
  iris: "run the example of Fisher's iris: three species, known and unknown",
  completion: 'print a script that completes commands and options in your shell',
} as const

export type CommandName = keyof typeof SUMMARIES
