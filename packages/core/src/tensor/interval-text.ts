/** What a cut number is called in data and in model files: [3,7), <3, ≥7. */
const EDGE = '[−+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[−+-]?\\d+)?'
const BETWEEN = new RegExp(`^[[(](${EDGE}),\\s?(${EDGE})[)\\]]$`, 'i')
const BEYOND = new RegExp(`^([<≤≥>])(${EDGE})$`, 'i')

/**
 * A category as people read it: intervals of numbers without brackets. Other categories stay as they are. It is for showing only: two
 * intervals that differ in which end belongs to them read the same.
 * @example
 * intervalText('[3,7)') // '3 – 7'
 * intervalText('≥7') // '≥ 7'
 * intervalText('agree') // 'agree'
 */
export const intervalText = (label: string): string => {
  const between = BETWEEN.exec(label)
  if (between !== null) return `${between[1]} – ${between[2]}`
  const beyond = BEYOND.exec(label)
  return beyond === null ? label : `${beyond[1]} ${beyond[2]}`
}
