import { OptionError } from '@polyad/core'
import type { Structure } from '../../analysis/request.ts'
import { designColumns } from '../../table/columns/sample-design.ts'
import type { TableOptions } from '../../table/reading/read-view.ts'
import type { OptionGroup } from './definition.ts'

/** How the rows came into the data, as the command line gives it. */
export interface SampleOptions {
  readonly weights?: string
  readonly rescaleWeights?: boolean
  readonly cluster?: string
  readonly strata?: string
}

export const SAMPLE: OptionGroup = {
  title: 'Sample',
  options: [
    {
      flags: '--weights <name>',
      text: 'column of sampling weights: how many of the population a row stands for; they are divided by their mean; implies sandwich standard errors',
    },
    // What it asked for is always done.
    { flags: '--rescale-weights', text: 'divide the weights by their mean', hidden: true },
    {
      flags: '--cluster <name>',
      text: 'with --se: the column of clusters that were drawn whole (schools, households); it is no mode of the model',
    },
    { flags: '--strata <name>', text: 'with --cluster: the column of strata that clusters were drawn within' },
  ],
}

/** How the sample was drawn, as the reader takes it. Refuses what cannot be combined before any data is read. */
export const sampleOf = (
  { weights, rescaleWeights, cluster, strata }: SampleOptions,
  structure: Structure,
  { se, modes = [] }: { readonly se?: unknown; readonly modes?: readonly string[] },
): Pick<TableOptions, 'weights' | 'design'> => {
  if (strata !== undefined && cluster === undefined)
    throw new OptionError('--strata needs --cluster: where rows were drawn one by one, name a column that numbers them')
  if (cluster !== undefined && se === undefined && structure.covariates === undefined)
    throw new OptionError('--cluster needs --se: what the sample was drawn by changes standard errors alone')
  if (rescaleWeights === true && weights === undefined)
    throw new OptionError('--rescale-weights needs --weights, the column they are in')
  const flag = cluster !== undefined ? '--cluster' : weights !== undefined ? '--weights' : undefined
  if (flag !== undefined) {
    if (se !== undefined && se !== true && se !== 'sandwich')
      throw new OptionError(`--se must be sandwich with ${flag} (got ${se})`)
    const other = (['groups', 'join'] as const).find(kind => structure[kind] !== undefined)
    if (other !== undefined)
      throw new OptionError(`${flag} cannot be combined with --${other}, whose tests are of plain likelihoods`)
  }
  const design = cluster === undefined ? undefined : { cluster, ...(strata !== undefined && { stratum: strata }) }
  const both = designColumns(design).find(name => modes.some(mode => mode.toLowerCase() === name.toLowerCase()))
  if (both !== undefined)
    throw new OptionError(`column ${JSON.stringify(both)} cannot be both a mode and a part of the design`)
  if (cluster !== undefined && cluster === strata) throw new OptionError('--cluster and --strata name the same column')
  return { ...(weights !== undefined && { weights }), ...(design !== undefined && { design }) }
}
