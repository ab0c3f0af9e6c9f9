import type { LinkedFigures, ProbabilityFigure } from '../figures/linked-figures.ts'
import { inText } from '../html.ts'
import { count, counted, percent } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { ReportFacts } from '../record/report.ts'
import { cited } from './references.ts'

/** What texts say of persons over time, and of classes of groups. */

/** What the model is, as the beginning of a sentence, with its sources. */
export const linkedModel = ({ linked }: Pick<ReportFacts, 'linked'>): string | undefined =>
  linked?.transitions !== undefined
    ? `A latent transition model ${cited('collins')}`
    : linked?.groupClasses !== undefined
      ? `A multilevel latent class model ${cited('vermunt')}`
      : undefined

/** Of whom the rows are, after a number of observations: ` of 1,446 persons at 7 waves`, ` in 45 groups (school)`; nothing if they do not belong together. */
export const unitsText = (linked: LinkedFigures | null): string => {
  const { persons, waves, groupClasses } = linked ?? {}
  if (waves !== undefined)
    return persons === undefined
      ? ` at ${counted(waves.length, 'wave')}`
      : ` of ${counted(persons, 'person')} at ${counted(waves.length, 'wave')}`
  if (groupClasses === undefined) return ''
  const { groups, within } = groupClasses
  return groups === undefined ? ` in groups (${inText(within)})` : ` in ${counted(groups, 'group')} (${inText(within)})`
}

const percents = (figures: readonly ProbabilityFigure[]): string =>
  listed(figures.map(({ probability }) => percent(probability)))

/** The lowest and the highest of several probabilities. */
const rangeText = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(value => percent(value))
  return least === most ? least : `${least} to ${most}`
}

/** How likely one is to stay in each class: `Class 1 94.1% to 95.0%`. */
const stayText = ({ transitions = [] }: LinkedFigures, { classes }: Pick<ReportFacts, 'classes'>): string =>
  listed(
    classes.map(
      ({ name }, k) =>
        `${rangeText(transitions.map(({ probabilities }) => probabilities[k][k].probability))} in ${inText(name)}`,
    ),
  )

/** For a methods section. */
export const linkedSentences = ({ linked, classes, errorKind }: ReportFacts): string[] => {
  if (linked === null) return []
  const { waves, transitions, stayers, groupClasses } = linked
  if (waves !== undefined && transitions !== undefined)
    return [
      `Response probabilities were the same at all waves; transition probabilities ${transitions[0].from === null ? 'were the same at every step' : waves.length > 2 ? 'differed between steps' : 'were estimated for the one step'}.`,
      `Criteria count persons as observations${errorKind === null ? '' : ', and standard errors treat them as clusters'}.`,
      `Class sizes were ${percents(waves[0].sizes)} at the first wave and ${percents(waves[waves.length - 1].sizes)} at the last. ${stayers === undefined ? 'The' : `${percent(stayers.share.probability)} of the persons never changed (mover–stayer model); for the others, the`} probability of staying in a class until the next wave was ${stayText(linked, { classes })}.`,
    ]
  if (groupClasses === undefined) return []
  const { mixes, sizes } = groupClasses
  return [
    `Each group belongs to one of ${counted(mixes.length, 'group class', 'group classes')}, which differ in the class sizes of their members; response probabilities were the same in all.`,
    ...(errorKind === null ? [] : ['Standard errors treat groups as clusters.']),
    ...(mixes.length === 1
      ? []
      : [
          `The group classes comprised ${percents(sizes)} of the groups; class sizes within them were ${mixes.map(percents).join('; ')}.`,
        ]),
  ]
}

/** What was found, in a sentence. */
export const linkedSummary = ({ linked, classes }: ReportFacts): string[] => {
  if (linked?.transitions !== undefined)
    return [
      `${linked.stayers === undefined ? 'From' : `${percent(linked.stayers.share.probability)} of the persons never change. Of the others, from`} one wave to the next, the probability of staying in a class is ${stayText(linked, { classes })}.`,
    ]
  const { mixes = [], sizes = [] } = linked?.groupClasses ?? {}
  if (mixes.length < 2) return []
  const each = mixes.map(
    (mix, g) => `group class ${g + 1} (${percent(sizes[g].probability)} of the groups) has ${percents(mix)}`,
  )
  return [`Class sizes differ between classes of groups: ${each.join('; ')}.`]
}

/** Fewer persons than this in a class at a wave say little of where they go. */
const FEW_PERSONS = 30
/** With fewer groups than this classes of groups, and errors by groups, are rough. */
const FEW_GROUPS = 20
/** A class of fewer groups than this is a few groups, not a class. */
const SMALL_GROUP_CLASS = 5
/** A probability as near to 0 is at it. */
const AT_BOUNDARY = 1e-6

/** What a reader should be careful about. */
export const linkedCautions = ({ linked, classes }: ReportFacts): string[] => {
  const { persons, waves, transitions, groupClasses } = linked ?? {}
  if (waves !== undefined && transitions !== undefined)
    return [
      ...fewPersons(persons, waves, transitions[0].from !== null, classes),
      ...atZero(transitions.flatMap(({ probabilities }) => probabilities.flat())),
    ]
  if (groupClasses === undefined || groupClasses.groups === undefined || groupClasses.mixes.length < 2) return []
  const { groups, sizes } = groupClasses
  const small = sizes.flatMap(({ probability }, g) => (probability * groups < SMALL_GROUP_CLASS ? [g] : []))
  return [
    ...(groups < FEW_GROUPS
      ? [`There are only ${counted(groups, 'group')}: classes of groups and their standard errors are rough.`]
      : []),
    ...(small.length === 0
      ? []
      : [
          `${listed(small.map(g => `group class ${g + 1} rests on about ${counted(Math.round(sizes[g].probability * groups), 'group')}`)).replace(/^g/, 'G')}: it may not replicate in other data.`,
        ]),
  ]
}

/** Classes with few persons at a wave from which they move by transitions of that step alone. */
const fewPersons = (
  persons: number | undefined,
  waves: NonNullable<LinkedFigures['waves']>,
  perStep: boolean,
  classes: ReportFacts['classes'],
): string[] => {
  if (persons === undefined) return []
  const leaving = waves.slice(0, -1)
  const few = classes.flatMap(({ name }, k) => {
    const numbers = leaving.map(({ sizes }) => sizes[k].probability * persons)
    const held = perStep ? Math.min(...numbers) : numbers.reduce((sum, each) => sum + each, 0)
    return held < FEW_PERSONS
      ? [`${inText(name)} (${perStep ? 'at least one step with ' : ''}about ${count(Math.round(held))})`]
      : []
  })
  return few.length === 0
    ? []
    : [
        `Few persons are in ${listed(few)}: transitions from there are rough${perStep ? '; --transitions same needs fewer' : ''}.`,
      ]
}

const atZero = (figures: readonly ProbabilityFigure[]): string[] => {
  const at = figures.filter(({ probability }) => probability <= AT_BOUNDARY).length
  return at === 0
    ? []
    : [
        `${count(at)} of ${counted(figures.length, 'transition probability', 'transition probabilities')} ${at === 1 ? 'is' : 'are'} estimated as exactly 0: nobody in this sample seems to have moved so.`,
      ]
}
