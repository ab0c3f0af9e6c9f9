/** Words that stand for missing in the files of many programs and surveys. */
const WORDS = new RegExp(
  `^(${[
    '#?n/?a',
    'n\\.a\\.?',
    '#n/a',
    'nan?',
    'null',
    '\\.[a-z]?',
    '\\?+',
    '-+',
    '\\*+',
    'missing',
    'unknown',
    'refused|refusal|(prefer not|declined) to (say|answer)',
    'don.?t know|do not know|dk|dk/na|d\\.k\\.',
    'no (answer|response)|not (asked|applicable|available|answered|stated|ascertained)',
    'k\\. ?a\\.?|keine angabe|wei(ß|ss) nicht',
  ].join('|')})$`,
  'i',
)

/** Whether a text is a word that stands for missing. */
export const isMissingWord = (text: string): boolean => WORDS.test(text.trim())
