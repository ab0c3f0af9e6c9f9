import type { ChartDataByKind, ChartKind, ChartTable } from '../data/chart-data.ts'
import type { ChartOptions } from '../drawing/figure.ts'
import { anomaliesChart, anomaliesTable } from './anomalies.ts'
import { certaintyChart, certaintyTable } from './certainty.ts'
import { criteriaChart, criteriaTable } from './criteria.ts'
import { curvesChart, curvesTable } from './curves.ts'
import { driftChart, driftTable } from './drift.ts'
import { flowsChart, flowsTable } from './flows.ts'
import { linesChart, linesTable } from './lines.ts'
import { lossesChart, lossesTable } from './losses.ts'
import { mixesChart, mixesTable } from './mixes.ts'
import { optimaChart, optimaTable } from './optima.ts'
import { pairsChart, pairsTable } from './pairs.ts'
import { posteriorsChart, posteriorsTable } from './posteriors.ts'
import { profilesChart, profilesTable } from './profiles.ts'
import { residualsChart, residualsTable } from './residuals.ts'
import { sharesChart, sharesTable } from './shares.ts'
import { timeChart, timeTable } from './time.ts'
import { topChart, topTable } from './top.ts'
import { transitionsChart, transitionsTable } from './transitions.ts'

/** A kind of chart: how it is drawn, and the table behind it. */
export interface Chart<Data> {
  readonly draw: (data: Data, options: ChartOptions) => SVGSVGElement
  readonly table: (data: Data) => ChartTable
}

/** All charts by their kinds. */
export const CHARTS: { readonly [Kind in ChartKind]: Chart<ChartDataByKind[Kind]> } = {
  profiles: { draw: profilesChart, table: profilesTable },
  lines: { draw: linesChart, table: linesTable },
  shares: { draw: sharesChart, table: sharesTable },
  posteriors: { draw: posteriorsChart, table: posteriorsTable },
  certainty: { draw: certaintyChart, table: certaintyTable },
  losses: { draw: lossesChart, table: lossesTable },
  optima: { draw: optimaChart, table: optimaTable },
  criteria: { draw: criteriaChart, table: criteriaTable },
  residuals: { draw: residualsChart, table: residualsTable },
  top: { draw: topChart, table: topTable },
  time: { draw: timeChart, table: timeTable },
  pairs: { draw: pairsChart, table: pairsTable },
  anomalies: { draw: anomaliesChart, table: anomaliesTable },
  curves: { draw: curvesChart, table: curvesTable },
  drift: { draw: driftChart, table: driftTable },
  flows: { draw: flowsChart, table: flowsTable },
  transitions: { draw: transitionsChart, table: transitionsTable },
  mixes: { draw: mixesChart, table: mixesTable },
}

/** The kinds of charts, in the order of the reference. */
export const CHART_KINDS = Object.keys(CHARTS) as readonly ChartKind[]
