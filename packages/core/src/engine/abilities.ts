import { DataError } from '../errors.ts'
import { hasCells } from '../tensor/tensor.ts'
import type { Ability, Session } from './engine.ts'

/** What a session may be able to do besides passes and measures, in words. */
export const ABILITIES = {
  cells: 'the cells in memory',
  information: 'the information of the parameters',
  reweight: 'other values for the same cells',
  open: 'other data on the same engine',
  several: 'several models in one scan',
} as const satisfies Readonly<Record<Ability, string>>

/** What each statistic needs of the session that holds its data. All others need passes and measures, which every session has. */
export const NEEDS = {
  'standard errors': ['information'],
  'standard errors of weighted data': ['information', 'reweight'],
  'the held-out log-likelihood': ['cells', 'reweight'],
  'smoothing by data left out': ['cells', 'reweight'],
  'the parametric bootstrap': ['cells', 'open'],
  'the nonparametric bootstrap': ['cells', 'reweight'],
  'a test between numbers of classes': ['cells', 'open'],
  residuals: ['cells'],
  'the Cressie–Read statistic': ['cells'],
  covariates: ['cells'],
  groups: ['cells'],
  'joined variables': ['cells'],
  'clusters of a sample': ['cells', 'information'],
} as const satisfies Readonly<Record<string, readonly Ability[]>>

export type Statistic = keyof typeof NEEDS

/**
 * The abilities of a session by what it has: for an engine to declare as `can`.
 * @example
 * abilitiesOf(session).includes('information') // true
 */
export const abilitiesOf = (session: Omit<Session, 'can'>): readonly Ability[] => {
  const has: Readonly<Record<Ability, boolean>> = {
    cells: hasCells(session.data),
    information: session.information !== undefined,
    reweight: session.reweight !== undefined,
    open: session.open !== undefined,
    several: session.passes !== undefined,
  }
  return (Object.keys(ABILITIES) as Ability[]).filter(ability => has[ability])
}

/**
 * Why a statistic cannot be computed on a session; undefined if it can.
 * @example
 * lacking(session, 'standard errors') // undefined
 */
export const lacking = ({ can }: Pick<Session, 'can'>, statistic: Statistic): string | undefined => {
  const missing = NEEDS[statistic].filter(ability => !can.includes(ability)).map(ability => ABILITIES[ability])
  return missing.length === 0
    ? undefined
    : `${statistic} ${/s$/.test(statistic.split(' of ')[0]) ? 'need' : 'needs'} ${missing.join(' and ')}, which the engine of this data does not provide`
}

/** Refuses a statistic that cannot be computed on a session. */
export const checkAbility = (session: Pick<Session, 'can'>, statistic: Statistic): void => {
  const reason = lacking(session, statistic)
  if (reason !== undefined) throw new DataError(reason)
}
