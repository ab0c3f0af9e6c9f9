/** What a person can choose of how a file is written: the value, and its words. */
export type Choices = readonly (readonly [value: string, words: string])[]

export const DELIMITERS: Choices = [
  ['', 'detect automatically'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['tab', 'tab'],
  ['|', 'vertical bar |'],
  [':', 'colon'],
  ['~', 'tilde ~'],
  ['^', 'caret ^'],
  ['blanks', 'spaces'],
]

/** Encodings of files that are not UTF-8, as people meet them. */
export const ENCODINGS: Choices = [
  ['', 'UTF-8, or as the file says'],
  ['windows-1252', 'Western European (Windows-1252, Latin-1)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['macintosh', 'Macintosh'],
  ['utf-16', 'UTF-16'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['gb18030', 'Chinese (GB18030)'],
  ['big5', 'Chinese (Big5)'],
  ['euc-kr', 'Korean (EUC-KR)'],
]

export const HEADERS: Choices = [
  ['', 'detect automatically'],
  ['true', 'the first row has the column names'],
  ['false', 'no column names: data from the first row on'],
]

export const DECIMALS: Choices = [
  ['', 'detect for each column'],
  ['.', 'point (1.5)'],
  [',', 'comma (1,5)'],
]

export const THOUSANDS: Choices = [
  ['', 'detect for each column'],
  [',', 'comma (1,200)'],
  ['.', 'point (1.200)'],
]
