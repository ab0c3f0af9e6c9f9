/** The data of every chart: plain objects, which a program, a worker or a file may make. */

/** A class as charts name and colour it. They are in descending size, and the first has the first colour. */
export interface ChartClass {
  readonly name: string
  /** Its size as a probability. */
  readonly share: number
}

export type ChartInterval = readonly [low: number, high: number]

/** The mean and the standard deviation of a number. */
export interface ChartMoments {
  readonly mean: number
  readonly sd: number
}

/** A variable that is a number. */
export interface ChartNumber {
  readonly classes: readonly ChartMoments[]
  /** Of all classes together. */
  readonly overall: ChartMoments
}

/** One mode of a model: P[label | class]. */
export interface ChartMode {
  readonly name: string
  readonly labels: readonly string[]
  /** Whether neighbouring labels are alike: then it is drawn as lines. */
  readonly ordered: boolean
  /** By class, then label. */
  readonly probabilities: readonly (readonly number[])[]
  /** P[label] over all classes: what independence expects, and what lift is against. */
  readonly marginal: readonly number[]
  /** How many labels were left out of these, which tell the classes apart less. */
  readonly more?: number
  /** By class, then label; null where a probability has none. */
  readonly intervals?: readonly (readonly (ChartInterval | undefined)[])[]
  /** If it is a number, its means: then it has no labels. */
  readonly number?: ChartNumber
}

/** Also the data of `top`. */
export interface ProfilesData {
  readonly classes: readonly ChartClass[]
  readonly modes: readonly ChartMode[]
  /** Where the axis of ordered modes with many labels ends. Default: at their highest probability; what draws panels one by one passes that of all. */
  readonly top?: number
}

/** One number per item and class: what the classic line plot shows. */
export interface LinesData {
  readonly classes: readonly ChartClass[]
  /** What the numbers are: "P[yes | class]". */
  readonly measure: string
  readonly items: readonly {
    readonly name: string
    /** What is counted of the item: its label, or what stands for it. */
    readonly of: string
    /** By class. */
    readonly values: readonly number[]
    /** What all classes together have. */
    readonly overall?: number
    readonly intervals?: readonly (ChartInterval | undefined)[]
  }[]
  /** Variables that are not among the items, and why. */
  readonly omitted?: { readonly names: readonly string[]; readonly reason: string }
}

export interface SharesData {
  readonly classes: readonly (ChartClass & { readonly interval?: ChartInterval | undefined })[]
}

/** Distinct posteriors, each with how much of the data has it. */
export interface PosteriorsData {
  readonly classes: readonly ChartClass[]
  readonly points: readonly { readonly probabilities: readonly number[]; readonly count: number }[]
}

export interface CertaintyData extends PosteriorsData {
  /** For those assigned to a class, the mean posterior of each; null for a class that none is assigned to. */
  readonly averagePosteriors: readonly (readonly number[] | null)[]
}

export interface LossesData {
  /** Every attempt at an optimum. */
  readonly attempts: readonly {
    readonly loss: number
    readonly passes: number
    readonly converged: boolean
    readonly origin: string
  }[]
  /** The objective of every model along the run that was kept. */
  readonly trace: readonly number[]
}

export interface OptimaData {
  readonly optima: readonly { readonly loss: number; readonly reached: number; readonly converged: boolean }[]
}

export interface CriteriaData {
  readonly ranks: readonly number[]
  /** Lower is better; null where it could not be computed. */
  readonly criteria: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
  readonly recommended?: number
}

export interface ResidualsData {
  readonly modes: readonly string[]
  /** Of every pair of modes, X² divided by its degrees of freedom. */
  readonly pairs: readonly {
    readonly modes: readonly [string, string]
    readonly residual: number
  }[]
}

/** An ordered mode as a line per class, in calendar order. */
export interface TimeData {
  readonly classes: readonly ChartClass[]
  readonly mode: ChartMode
}

/** Who × what: P[a, b | class] is the product of the two. */
export interface PairsData {
  readonly classes: readonly ChartClass[]
  readonly modes: readonly [ChartMode, ChartMode]
}

export interface AnomaliesData {
  readonly modes: readonly string[]
  readonly cells: readonly {
    /** One for each mode. */
    readonly labels: readonly string[]
    readonly observed: number
    readonly expected: number
    /** (observed − expected)/√expected. */
    readonly residual: number
  }[]
}

/** P[class] against a covariate, one curve each. */
export interface CurvesData {
  readonly classes: readonly ChartClass[]
  readonly curves: readonly {
    readonly covariate: string
    /** Whether its values are points on a line, or categories side by side. Default: whether all of them are numbers. */
    readonly numeric?: boolean
    readonly points: readonly { readonly value: string | number; readonly probabilities: readonly number[] }[]
  }[]
}

/** Two models of the same modes, before and after. */
export interface DriftData {
  /** A class that is in one of them only has no share in the other. */
  readonly classes: readonly { readonly name: string; readonly before: number | null; readonly after: number | null }[]
  readonly modes: readonly {
    readonly name: string
    /** The part of the answers that moved to other labels, 0 to 1: over all classes, and by class; null without a partner. */
    readonly overall: number
    readonly distances: readonly (number | null)[]
    /** How many labels are new, and how many are gone. */
    readonly added: number
    readonly gone: number
  }[]
}

/** The classes of the same people at several waves. */
export interface ChangeData {
  readonly classes: readonly ChartClass[]
  /** With the class sizes at each. */
  readonly waves: readonly { readonly name: string; readonly sizes: readonly number[] }[]
  /** P[class at the next wave | class], of all persons: for every step a row for each class left, or once if they are the same at all. */
  readonly transitions: readonly (readonly (readonly number[])[])[]
}

/** Classes of groups, which differ in the class sizes of their members. */
export interface MixesData {
  readonly classes: readonly ChartClass[]
  /** The classes of groups: how large they are, and the class sizes within. */
  readonly groups: readonly { readonly name: string; readonly share: number; readonly mix: readonly number[] }[]
}

/** What is behind a chart, in numbers: whole labels, nothing rounded. */
export interface ChartTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** The data of each kind of chart. */
export interface ChartDataByKind {
  readonly profiles: ProfilesData
  readonly lines: LinesData
  readonly posteriors: PosteriorsData
  readonly shares: SharesData
  readonly losses: LossesData
  readonly optima: OptimaData
  readonly criteria: CriteriaData
  readonly residuals: ResidualsData
  readonly certainty: CertaintyData
  readonly top: ProfilesData
  readonly time: TimeData
  readonly pairs: PairsData
  readonly anomalies: AnomaliesData
  readonly curves: CurvesData
  readonly drift: DriftData
  readonly flows: ChangeData
  readonly transitions: ChangeData
  readonly mixes: MixesData
}

export type ChartKind = keyof ChartDataByKind
