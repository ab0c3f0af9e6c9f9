import { type ChartClass, type ChartMode, type ChartOptions, type ProfilesData, profileTop } from '@polyad/charts'
import type { ReplicateProgress, StandardErrorKind } from '@polyad/core'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Report } from 'polyad/report'
import { labelsIn } from 'polyad/table'
import { typedLabels } from '../../state/reading/labels.ts'
import { readData } from '../../state/reading/reading.ts'
import { described, type ShownModel, shownModel } from '../../state/results/class-profiles.ts'
import { separation } from '../../state/results/separation.ts'
import { chosenFit, fits, hasOwnData } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import {
  type ErrorsOfFit,
  type FitRecord,
  type GoodnessOutcome,
  type RankTestOutcome,
  structureOf,
} from '../../worker/protocol.ts'

/** What is found out about a fit on demand: it is kept as long as the fits are. */

interface PerFit<T> {
  /** That of the chosen fit. */
  readonly chosen: ReadonlySignal<T | undefined>
  get(fit: FitRecord): T | undefined
  /** @param isOwn whether it was made of the data of the fits: if not, it is forgotten as soon as that is there */
  put(fit: FitRecord, value: T, isOwn: boolean): void
  /** Forgets all of it. */
  clear(): void
}

const perFit = <T>(): PerFit<T> => {
  const all = signal<ReadonlyMap<FitRecord, { readonly value: T; readonly isOwn: boolean }>>(new Map())
  // What was found of a fit is of use as long as the fit is there: while others are still to come, too.
  effect(() => {
    const there = fits.value?.fits ?? []
    const left = [...all.peek()].filter(([fit]) => there.includes(fit))
    if (left.length < all.peek().size) all.value = new Map(left)
  })
  const forgetOthers = () => {
    const own = [...all.peek()].filter(([, { isOwn }]) => isOwn)
    if (own.length < all.peek().size) all.value = new Map(own)
  }
  effect(() => {
    if (hasOwnData.value) forgetOthers()
  })
  return {
    chosen: computed(() => (chosenFit.value === null ? undefined : all.value.get(chosenFit.value)?.value)),
    get: fit => all.peek().get(fit)?.value,
    put: (fit, value, isOwn) => {
      if (!fits.peek()?.fits.includes(fit)) return
      all.value = new Map(all.peek()).set(fit, { value, isOwn })
      if (hasOwnData.peek()) forgetOthers()
    },
    clear: () => {
      if (all.peek().size > 0) all.value = new Map()
    },
  }
}

/** Something that is found out when it is asked for. */
export type Finding<T> =
  | { readonly state: 'running'; readonly progress: ReplicateProgress | null; readonly stopping: boolean }
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string }

export interface OnDemand<T, Asked extends readonly unknown[]> {
  readonly chosen: ReadonlySignal<Finding<T> | undefined>
  start(...asked: Asked): Promise<void>
  stop(): void
  /** Forgets what was found; what is still under way is not waited for. */
  forget(): void
}

type Work<T, Asked extends readonly unknown[]> = (
  fit: FitRecord,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: ReplicateProgress) => void },
  ...asked: Asked
) => Promise<T>

const onDemand = <T, Asked extends readonly unknown[] = []>(work: Work<T, Asked>): OnDemand<T, Asked> => {
  const found = perFit<Finding<T>>()
  const stoppers = new WeakMap<FitRecord, AbortController>()
  /** How often all was forgotten. */
  let times = 0
  return {
    chosen: found.chosen,
    forget() {
      times++
      found.clear()
    },
    async start(...asked) {
      const fit = chosenFit.peek()
      if (fit === null || found.get(fit)?.state === 'running') return
      const stopper = new AbortController()
      stoppers.set(fit, stopper)
      const begun = times
      const put = (finding: Finding<T>, isOwn: boolean) => {
        if (begun === times) found.put(fit, finding, isOwn)
      }
      const going = (progress: ReplicateProgress | null) =>
        put({ state: 'running', progress, stopping: stopper.signal.aborted }, true)
      going(null)
      let isOwn = true
      try {
        await readData()
        isOwn = hasOwnData.peek()
        const value = await work(fit, { signal: stopper.signal, onProgress: going }, ...asked)
        put({ state: 'done', value }, isOwn)
      } catch (error) {
        put({ state: 'failed', message: error instanceof Error ? error.message : String(error) }, isOwn)
      }
    },
    stop() {
      const fit = chosenFit.peek()
      const now = fit === null ? undefined : found.get(fit)
      if (fit === null || now?.state !== 'running') return
      stoppers.get(fit)?.abort()
      found.put(fit, { ...now, stopping: true }, true)
    },
  }
}

const seed = (): number => fits.peek()?.request.seed ?? 1

export const reports = onDemand<Report>(fit => worker.call('report', [worker.model(fit.file), {}]))

// A report names variables and values by their labels.
effect(() => {
  typedLabels.value
  reports.forget()
})

export const errors = onDemand<ErrorsOfFit, [kind: StandardErrorKind, confidence: number]>((fit, _, kind, confidence) =>
  worker.call('errors', [worker.model(fit.file), kind, confidence]),
)

export const goodness = onDemand<GoodnessOutcome, [replicates: number]>((fit, options, replicates) =>
  worker.call('goodness', [worker.model(fit.file), replicates, seed()], options),
)

export const rankTest = onDemand<RankTestOutcome, [replicates: number]>((fit, options, replicates) =>
  worker.call(
    'testRank',
    [fit.rank, replicates, seed(), structureOf(fits.peek()?.request ?? { covariates: [] })],
    options,
  ),
)

const foundIn = <T>(finding: Finding<T> | undefined): T | null => (finding?.state === 'done' ? finding.value : null)

export const report = computed(() => foundIn(reports.chosen.value))
export const intervals = computed(() => foundIn(errors.chosen.value)?.intervals ?? null)

/** Whether covariates explain membership in the models that are looked at. */
export const hasCovariates = computed(
  () => (fits.value?.request.covariates.length ?? 0) > 0 || (report.value?.covariates ?? null) !== null,
)

/** Whether rows have sampling weights, which are no counts. */
export const isWeighted = computed(() => fits.value?.read?.weights !== undefined)

/** Whether whole clusters were sampled. */
export const isClustered = computed(() => fits.value?.read?.design !== undefined)

/** What one class gives, to compare with: of the same data, which with covariates has other modes. */
export const independence = computed(() =>
  hasCovariates.value || chosenFit.value?.figures.rank === 1 ? undefined : fits.value?.data.independence,
)

/** What the report leaves out, and why. */
export const leftOut = computed<readonly string[]>(() => report.value?.leftOut ?? [])

/** Whether what one class would give is shown beside. */
export const reference = signal(false)

/** Names and colours as charts have them: a little later, since a name is typed letter by letter and charts are many. */
const settled = signal<ShownModel | null>(null)
const LATER = 250
let later: ReturnType<typeof setTimeout> | undefined
effect(() => {
  const [now, before] = [shownModel.value, settled.peek()]
  clearTimeout(later)
  const put = () => {
    settled.value = now
  }
  if (now?.rank === before?.rank && now?.shares === before?.shares) later = setTimeout(put, LATER)
  else put()
})

type Options = Omit<ChartOptions, 'document' | 'width'>

/** The screen has one legend: charts have none. */
const classStyle = computed<Options>(() => {
  const classes = settled.value?.classes ?? []
  return { colours: classes.map(({ colour }) => colour), places: classes.map(({ place }) => place), legend: false }
})
export const plainOptions = classStyle
/** Lines, and heat maps of the same. */
export const linesOptions = computed(() => {
  const own = { ...classStyle.value, reference: reference.value }
  return { lines: { ...own, heatMap: false }, 'heat map': { ...own, heatMap: true } } satisfies Record<string, Options>
})
/** Panels of profiles: with the numbers of the common axis beside them, within them or not at all, and heat maps. */
export const profileOptions = computed(() => {
  const own = { ...classStyle.value, targets: true, reference: reference.value }
  return {
    beside: { ...own, heatMap: false, axis: 'beside' },
    within: { ...own, heatMap: false },
    none: { ...own, heatMap: false, axis: 'none' },
    'heat map': { ...own, heatMap: true },
  } satisfies Record<string, Options>
})

type WithClasses = { readonly classes: readonly ChartClass[] }

const named = <T extends WithClasses>(data: T | null): T | null => {
  const own = settled.value?.classes
  if (data === null || own === undefined || own.length !== data.classes.length) return data
  return { ...data, classes: data.classes.map((each, k) => ({ ...each, name: own[k].name })) }
}

/** The charts of the report, with the names that are given and the intervals that were asked for. */
export const charts = computed(() => {
  const now = report.value
  if (now === null) return null
  const { profiles, top, lines, time, pairs, posteriors, certainty, curves, ...rest } = now.charts
  return {
    ...rest,
    profiles: named(profiles && { ...profiles, modes: profiles.modes.map(bounded) }),
    top: named(top),
    lines: named(lines),
    time: time.map(each => named(each) ?? each),
    pairs: named(pairs),
    posteriors: named(posteriors),
    certainty: named(certainty),
    curves: named(curves),
  }
})

/** A mode with intervals, where there are any. */
const bounded = (mode: ChartMode): ChartMode => {
  const [factors, modes] = [intervals.value?.factors, report.value?.modes ?? []]
  const shown = labelsIn(report.value?.labels)
  const n = modes.findIndex(({ name }) => shown.name(name) === mode.name)
  // Of a variable with very many categories only some are shown, or several as one.
  const whole = factors?.[n]?.[0]?.length === mode.labels.length
  return factors === undefined || !whole ? mode : { ...mode, intervals: factors[n] }
}

/** Whether what separates the classes most comes first; else variables are in the order of the data. */
export const isBySeparation = signal(true)

/** How much each variable separates the classes, by its name. */
const separations = computed<ReadonlyMap<string, number>>(() => {
  const [model, modes] = [shownModel.value, described.value?.modes ?? []]
  if (model === null || model.rank === 1) return new Map()
  const found = separation(model)
  return new Map(modes.map(({ name }, n) => [name, found[n]]))
})

const inOrder = <T>(list: readonly T[], nameOf: (item: T) => string): readonly T[] => {
  const by = separations.value
  if (!isBySeparation.value) return list
  return list.toSorted((a, b) => (by.get(nameOf(b)) ?? 0) - (by.get(nameOf(a)) ?? 0))
}

/** One number for each variable and class, in the order that is chosen. */
export const overview = computed(() => {
  const lines = charts.value?.lines ?? null
  return lines && { ...lines, items: inOrder(lines.items, ({ name }) => name) }
})

/** The panels of the profiles: one for each mode, kept as long as it is the same. */
export const panels = computed<readonly ProfilesData[]>(() => {
  const profiles = charts.value?.profiles
  if (!profiles) return []
  const top = profileTop(profiles)
  const all = profiles.modes.map(mode => ({ classes: profiles.classes, modes: [mode], top }))
  return inOrder(all, ({ modes: [{ name }] }) => name)
})

/** The report with the names that are given: for what is said in words. */
export const namedReport = computed<Report | null>(() => {
  const [now, own] = [report.value, shownModel.value?.classes]
  if (now === null || own === undefined || own.length !== now.classes.length) return now
  return { ...now, classes: now.classes.map((each, k) => ({ ...each, name: own[k].name })) }
})
