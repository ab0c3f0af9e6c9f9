import type { CommandOption, OptionGroup } from '../options/definition.ts'

/** What `--help <topic>` prints of a command with many options, and the words that describe it. */
const TOPICS = {
  data: 'how the table is read',
  structure: 'kinds of variables, covariates, groups',
  search: 'starts, limits, priors, checkpoints',
  statistics: 'weights, standard errors, bootstrap',
  all: 'every option',
} as const

type Topic = keyof typeof TOPICS

/** The topic of each group of options, by its title. The options of a command alone, and those of its output, belong to none. */
const TOPIC_OF_GROUP: Readonly<Record<string, Topic>> = {
  Data: 'data',
  'Numbers, scales and counts': 'structure',
  Structure: 'structure',
  Fit: 'search',
  Sample: 'statistics',
  Statistics: 'statistics',
  Bootstrap: 'statistics',
  'Bootstrap and residuals': 'statistics',
}

/** A command with more options than this has a short help; up to here, all of them are read at a glance. */
const SHORT_FROM = 27

/** Options that most people use: the short help of every command has them. */
const COMMON = [
  ...['--where', '--variables', '--exclude', '--count', '--bin', '--missing', '--continuous', '--ordinal'],
  ...['--covariates', '--groups', '--weights', '--starts', '--seed', '--se', '--bootstrap', '--json', '--quiet'],
]

/** Options of single commands that few people use: only `--help all` has them. */
const SELDOM = [
  ...['--init', '--names', '--ordered', '--labels', '--details', '--dry-run', '--engine', '--folds', '--thorough'],
  ...['--replicates', '--replicate-starts', '--all', '--level', '--dpi', '--scale', '--source', '--dark', '--size'],
  ...['--per', '--standardize', '--reference-category', '--measurement'],
]

const isTopic = (word: string | undefined): word is Topic => word !== undefined && Object.hasOwn(TOPICS, word)

/** The word after `--help`, or after `help fit`; undefined if a command line asks for no help. */
const askedTopic = (words: readonly string[]): Topic | 'short' | undefined => {
  const at = words[0] === 'help' ? 1 : words.findIndex(word => word === '--help' || word === '-h')
  if (at < 0) return undefined
  const { [at + 1]: next } = words
  return isTopic(next) ? next : 'short'
}

const longFlag = ({ flags }: CommandOption): string => /--[a-z-]+/.exec(flags)?.[0] ?? flags

/** What the help that a command line asks for shows of a command: which of its options, and where the others are. */
export interface HelpView {
  readonly shows: (group: OptionGroup, option: CommandOption) => boolean
  readonly footer: readonly string[]
}

/** The help of a command that a command line asks for; undefined: every option. */
export const helpView = (groups: readonly OptionGroup[], words: readonly string[]): HelpView | undefined => {
  const topic = askedTopic(words)
  const all = groups.flatMap(({ options }) => options).filter(({ hidden }) => hidden !== true)
  if (topic === undefined || topic === 'all' || all.length <= SHORT_FROM) return undefined
  if (topic !== 'short') return { shows: ({ title }) => TOPIC_OF_GROUP[title] === topic, footer: [] }
  const has = (name: string) => name === 'all' || groups.some(({ title }) => TOPIC_OF_GROUP[title] === name)
  return {
    shows: ({ title }, option) => {
      const flag = longFlag(option)
      return (
        COMMON.includes(flag) || (TOPIC_OF_GROUP[title] === undefined && title !== 'Output' && !SELDOM.includes(flag))
      )
    },
    footer: [
      '',
      `Most people need only these options. All ${all.length}:`,
      ...Object.entries(TOPICS)
        .filter(([name]) => has(name))
        .map(([name, text]) => `  ${`--help ${name}`.padEnd(19)}${text}`),
    ],
  }
}
