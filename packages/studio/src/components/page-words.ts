import { counted } from './numbers.ts'

/** Why a number of classes is recommended, where the library says ranks. */
export const rankWords = (reason: string): string =>
  reason
    .replace(/\branks (\d+(, \d+)*)/g, '$1 classes')
    .replace(/\brank (\d+)/g, (_, rank: string) => counted(Number(rank), 'class', 'classes'))
    .replace(/\blargest rank tried/g, 'largest number tried')
    .replace(/\bno rank\b/g, 'no number of classes')

/** How sure a fit is. What is exact need not say how close it came. */
export const verdictWords = (text: string): string => text.replace(/^(closed form: [^;]*); stationary to .*$/, '$1')
