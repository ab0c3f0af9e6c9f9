import type { EffectFigures } from './linked-figures.ts'

/** What each kind of effect is on, and what its classes are compared with. */
const EFFECTS = {
  initial: { title: 'class at the first wave', reference: 'class 1' },
  transitions: { title: 'transitions', reference: 'the class that is left' },
  mixes: { title: 'class membership', reference: 'class 1; group classes differ in their intercepts' },
  groups: { title: 'classes of groups', reference: 'group class 1' },
} as const satisfies Record<EffectFigures['on'], { readonly title: string; readonly reference: string }>

/**
 * What covariates of persons over time or of groups have an effect on, and what the classes are compared with.
 * @example
 * effectWords('transitions').reference // 'the class that is left'
 */
export const effectWords = (on: EffectFigures['on']): { readonly title: string; readonly reference: string } =>
  EFFECTS[on]

/** A coefficient of a covariate of linked rows. */
export type LinkedCoefficient = EffectFigures['coefficients'][number]

/** A term as it is shown: several intercepts are those of steps, or of group classes. */
export const effectTerm = ({ term, of }: LinkedCoefficient, on: EffectFigures['on']): string =>
  of === null ? term : `${term}, ${on === 'transitions' ? 'step' : 'group class'} ${of}`

/** The coefficients of an effect by what they are on: `Class 2`, or `Class 1 → Class 2` of transitions. */
export const effectGroups = (
  { on, coefficients }: EffectFigures,
  names: readonly string[],
): { readonly name: string; readonly coefficients: readonly LinkedCoefficient[] }[] => {
  const nameOf = (k: number) => (on === 'groups' ? `group class ${k}` : (names[k - 1] ?? `class ${k}`))
  const groups = new Map<string, LinkedCoefficient[]>()
  for (const each of coefficients) {
    const to = `${nameOf(each.class)}${each.stays === true ? ' (never changes)' : ''}`
    const name = each.from === null ? to : `${nameOf(each.from)} → ${to}`
    groups.set(name, [...(groups.get(name) ?? []), each])
  }
  return [...groups].map(([name, own]) => ({ name, coefficients: own }))
}
