import type { SurveyDesign } from '@polyad/core'
import { labelArray } from '@polyad/core/model'
import { choice, grouped, listed, many, type Note } from '../values/note.ts'
import type { Counted, CountPlan, ModePlan, TableView } from '../view/view.ts'
import { columnNamed } from './columns.ts'

/** The columns of a design. */
export const designColumns = (design: SurveyDesign | undefined): string[] =>
  design === undefined ? [] : [design.cluster, design.stratum].filter(name => name !== undefined)

/**
 * The design of a sample as the table has it, with the number of clusters in every stratum. Clusters whose rows all have weight zero
 * are among them: they were drawn, and contribute a score of zero. A row whose count is zero was never seen, so it counts no cluster.
 */
export const sampleDesign = (
  design: SurveyDesign,
  { labels, indices, values }: Pick<Counted, 'labels' | 'indices' | 'values'>,
  modes: readonly ModePlan[],
  { column, sampling }: CountPlan,
  view: Pick<TableView, 'name'>,
): { readonly design: SurveyDesign; readonly notes: readonly Note[] } => {
  const columns = modes.map(mode => mode.column)
  const [cluster, stratum] = designColumns(design).map(name => columnNamed({ columns }, name, ' of the design', view))
  const named = { ...design, cluster: cluster.name, ...(stratum !== undefined && { stratum: stratum.name }) }
  if (design.sizes !== undefined) return { design: named, notes: [] }
  const [c, h] = [columns.indexOf(cluster), stratum === undefined ? -1 : columns.indexOf(stratum)]
  const [drawn, weighing] = [new Set<number>(), new Set<number>()]
  for (let cell = 0; cell < values.length; cell++) {
    const [own, within] = [indices[c][cell], h < 0 ? 0 : indices[h][cell]]
    if (own < 0 || within < 0) continue
    if (sampling || values[cell] > 0) drawn.add(within * labels[c].length + own)
    if (values[cell] > 0) weighing.add(within * labels[c].length + own)
  }
  const sizes = new Float64Array(h < 0 ? 1 : labels[h].length)
  for (const each of drawn) sizes[Math.floor(each / labels[c].length)]++
  const idle = drawn.size - weighing.size
  return {
    design: {
      ...named,
      sizes: h < 0 ? sizes[0] : Object.fromEntries(labelArray(labels[h]).map((label, j) => [label, sizes[j]])),
    },
    notes:
      idle === 0
        ? []
        : [
            choice(
              `in ${grouped(idle)} of ${many(drawn.size, 'cluster')} every row has ${listed(column!.name)} = 0: ${idle === 1 ? 'it still counts' : 'they still count'} in the design of the sample`,
            ),
          ],
  }
}
