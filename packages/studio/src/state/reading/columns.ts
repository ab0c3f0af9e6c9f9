import type { Item } from '@polyad/core'
import { defined, excludedBy } from '@polyad/core/options'
import type { NamedItem } from 'polyad/analysis'
import { columnCode, type InspectedColumn, orderText, recodeText } from 'polyad/table'
import type { Links, ReadOptions, TableSummary } from '../../worker/protocol.ts'
import type { ColumnChoice, Role, Settings } from '../store/settings.ts'

/** What a column is used as: as chosen, else as proposed. */
export const roleOf = (column: InspectedColumn, { columns }: Pick<Settings, 'columns'>): Role =>
  columns[column.name]?.role ?? column.proposal.use

/** The columns of a role, in their order. */
export const columnsOf = (table: TableSummary, settings: Pick<Settings, 'columns'>, role: Role): InspectedColumn[] =>
  table.columns.filter(column => roleOf(column, settings) === role)

/** What a variable is taken for that is no category. */
export const itemOf = (column: InspectedColumn, settings: Pick<Settings, 'columns'>): Item | undefined =>
  roleOf(column, settings) === 'mode' ? settings.columns[column.name]?.item : undefined

/** The same of all variables, as they are fitted. */
export const itemsOf = (table: TableSummary, settings: Pick<Settings, 'columns' | 'fit'>): readonly NamedItem[] =>
  columnsOf(table, settings, 'mode').flatMap(column => {
    const item = itemOf(column, settings)
    if (item === undefined) return []
    const { variances } = settings.fit
    return [{ column: column.name, item: item.kind === 'normal' ? { ...item, ...defined({ variances }) } : item }]
  })

/** What links rows by these roles; undefined if nothing does. */
export const linksOf = (table: TableSummary, settings: Pick<Settings, 'columns' | 'fit'>): Links | undefined => {
  const [person, time, group] = LINKING.map(role => columnsOf(table, settings, role)[0]?.name)
  const { sameTransitions, movingCovariates, stayers, groupClasses = DEFAULT_GROUP_CLASSES } = settings.fit
  const covariates = columnsOf(table, settings, 'covariate').map(({ name }) => name)
  if (person !== undefined && time !== undefined)
    return {
      person,
      time,
      ...(sameTransitions === true && { transitions: 'same' as const }),
      ...(movingCovariates === true && covariates.length > 0 && { transitionCovariates: covariates }),
      ...(stayers === true && { stayers }),
    }
  return group === undefined ? undefined : { within: group, groupClasses }
}

/** Roles of columns that link rows. */
const LINKING = ['person', 'time', 'group'] as const

/** How many classes groups have if nothing is said. */
export const DEFAULT_GROUP_CLASSES = 2

/** The cut of a column that is used as a mode or a covariate, where it has one: as chosen, else as proposed with its use. */
export const binOf = (
  { name, proposal }: Pick<InspectedColumn, 'name' | 'proposal'>,
  { columns }: Pick<Settings, 'columns'>,
): string | undefined => {
  const { role = proposal.use, item, bin = role === 'mode' ? proposal.bins : undefined } = columns[name] ?? {}
  return bin === NOT_CUT || (role === 'mode' && item !== undefined) ? undefined : bin
}

/** A choice not to cut a column for which bins are proposed. */
export const NOT_CUT = ''

/** Whether a column is used and cut as proposed. */
export const isProposed = (column: InspectedColumn, { columns }: Pick<Settings, 'columns'>): boolean =>
  roleOf(column, { columns }) === column.proposal.use &&
  itemOf(column, { columns }) === undefined &&
  binOf(column, { columns }) === binOf(column, { columns: {} })

/** A use, with the cut that is proposed where it needs one: a number explains membership as it is, but is no category. */
export const choiceOf = (column: InspectedColumn, role: Role, now: ColumnChoice = {}): ColumnChoice => {
  const { kind, bins, proposal } = column
  const needed =
    role === 'mode' ? proposal.use !== 'mode' && now.item === undefined : role === 'covariate' && kind === 'date'
  return needed && bins !== undefined && now.bin === undefined ? { ...now, role, bin: bins } : { ...now, role }
}

/** What a table lacks before it can be read; undefined where it lacks nothing. */
export const lacking = (table: TableSummary, settings: Settings): string | undefined => {
  const modes = columnsOf(table, settings, 'mode')
  if (modes.length === 0)
    return 'No column is used as a variable. Choose the columns from which classes should be found.'
  const [first, second] = columnsOf(table, settings, 'count')
  if (second !== undefined) return `Choose one frequency column only (now ${first.name} and ${second.name}).`
  const weights = columnsOf(table, settings, 'weight')
  if (weights.length > 1) return `Choose one weight column only (now ${weights[0].name} and ${weights[1].name}).`
  if (first !== undefined && weights.length > 0) return 'Choose a frequency column or a weight column, not both.'
  if (columnsOf(table, settings, 'class').length > 1) return 'Choose one known class only.'
  const [clusters, strata] = (['cluster', 'strata'] as const).map(role => columnsOf(table, settings, role))
  const twice = [clusters, strata].find(columns => columns.length > 1)
  if (twice !== undefined)
    return `Choose one column only for each of Cluster and Strata (now ${twice[0].name} and ${twice[1].name}).`
  if (strata.length > 0 && clusters.length === 0)
    return `Choose a Cluster column: it says which schools, households or places were sampled within the strata of ${strata[0].name}.`
  const { to, smoothing } = settings.fit
  const explained = columnsOf(table, settings, 'covariate').length > 0
  if (explained && to === 1) return 'Covariates predict membership, so fit at least two classes.'
  const several = LINKING.map(role => columnsOf(table, settings, role)).find(columns => columns.length > 1)
  if (several !== undefined)
    return `Choose one column only for each of Person, Time and Group (now ${several[0].name} and ${several[1].name}).`
  const [persons, times] = (['person', 'time'] as const).map(role => columnsOf(table, settings, role).length)
  if (persons !== times)
    return persons > 0
      ? 'Choose a Time column: it says at which wave a person gave the answers.'
      : 'Choose a Person column: it says whose waves these are.'
  const links = linksOf(table, settings)
  if (links !== undefined && to === 1)
    return links.person === undefined
      ? 'One class cannot differ between groups, so fit at least two classes.'
      : 'One class cannot change, so fit at least two classes.'
  const apart =
    links &&
    excludedBy('linked rows', { ...(explained && { covariates: true }), ...(clusters.length > 0 && { cluster: true }) })
  if (apart !== undefined)
    return `${links?.person === undefined ? 'Groups with classes' : 'Waves of persons'} cannot be combined with ${apart.name} yet. Exclude one of them.`
  const excluded = smoothing === null ? undefined : excludedBy('smoothing', { covariates: explained, ...links })
  if (excluded !== undefined)
    return `Smoothing cannot be combined with ${excluded.name}: ${excluded.reason}. Turn it off under More settings of Fit.`
  return undefined
}

/** How the table is to be read for these settings: what was guessed and left is asked for by name, so that it stays so. */
export const readOptions = (table: TableSummary, settings: Settings): ReadOptions => {
  const [modes, covariates] = (['mode', 'covariate'] as const).map(role => columnsOf(table, settings, role))
  const linking = LINKING.flatMap(role => columnsOf(table, settings, role))
  const beside = [...covariates, ...linking]
  const [count] = columnsOf(table, settings, 'count')
  const [weight] = columnsOf(table, settings, 'weight')
  const [cluster, stratum] = (['cluster', 'strata'] as const).map(role => columnsOf(table, settings, role)[0]?.name)
  const bins = [...modes, ...covariates].flatMap(column => {
    const bin = binOf(column, settings)
    return bin === undefined ? [] : [`${column.name}:${bin}`]
  })
  const codes = table.columns.flatMap(({ name }) => {
    const { missing = [] } = settings.columns[name] ?? {}
    return missing.length === 0 ? [] : [columnCode(name, missing)]
  })
  const categorical = [...modes, ...covariates].filter(column => binOf(column, settings) === undefined)
  const recode = categorical.flatMap(({ name }) => {
    const { recode: own = [] } = settings.columns[name] ?? {}
    return own.length === 0 ? [] : [recodeText(name, own)]
  })
  const order = categorical.flatMap(({ name }) => {
    const given = orderOf(settings.columns[name] ?? {}, settings.missing)
    return given === undefined ? [] : [orderText(name, given)]
  })
  const dated = [...modes, ...covariates].some(
    column => column.kind === 'date' && binOf(column, settings) !== undefined,
  )
  return {
    ...(settings.where && { where: settings.where }),
    modes: modes.map(({ name }) => name),
    ...(beside.length > 0 && { include: beside.map(({ name }) => name) }),
    ...(weight === undefined ? { count: count?.name ?? 'none' } : { weights: weight.name }),
    ...(cluster !== undefined && { design: { cluster, ...defined({ stratum }) } }),
    ...(bins.length > 0 && { bins }),
    ...(settings.top !== null && { top: settings.top }),
    ...(settings.missing.length > 0 && { missing: settings.missing }),
    ...(codes.length > 0 && { missingIn: codes }),
    ...(recode.length > 0 && { recode }),
    ...(order.length > 0 && { order }),
    ...table.written,
    ...(settings.trim && { trim: true }),
    ...(settings.ignoreCase && { ignoreCase: true }),
    ...(settings.timeZone && dated && { timeZone: settings.timeZone }),
  }
}

/** The order that categories were given, without those that mean missing. Numbers are in order by size. */
const orderOf = (
  { order, missing = [] }: ColumnChoice,
  everywhere: readonly string[],
): readonly string[] | undefined => {
  const left = order?.filter(category => !missing.includes(category) && !everywhere.includes(category)) ?? []
  return left.length < 2 || left.every(isNumberText) ? undefined : left
}

/** Whether a category is a number. */
export const isNumberText = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** Whether two readings ask for the same, in whatever order. */
export const sameReading = (a: ReadOptions, b: ReadOptions): boolean => inOrder(a) === inOrder(b)

const inOrder = (options: ReadOptions): string =>
  JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Whether variables are taken for the same. */
export const sameItems = (a: readonly NamedItem[] = [], b: readonly NamedItem[] = []): boolean => {
  const text = (items: readonly NamedItem[]) =>
    JSON.stringify(items.map(({ column, item }) => [column, Object.entries(item).sort()]).sort())
  return text(a) === text(b)
}
