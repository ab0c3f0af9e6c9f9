import { defined } from '../defined.ts'
import { OptionError, show } from '../errors.ts'
import { alignModel, labelDifferences, modePositions } from '../model/align.ts'
import { carryModel } from '../model/carry.ts'
import { itemSettings } from '../model/items/choices.ts'
import type { Model } from '../model/model.ts'
import type { Counts } from '../tensor/tensor.ts'
import { mention, term, words } from '../wording.ts'
import type { ConstraintSetting } from './descent/constraints.ts'
import type { FitSetting, SessionFitOptions } from './fit-options.ts'
import { type MemoryPlan, planMemory } from './memory-plan.ts'
import type { TaskSetting } from './search/tasks.ts'

/** What only some fits have: the code for it is loaded if it is needed. */
export interface FitParts {
  /** For every mode what it is taken for. */
  readonly items?: TaskSetting['items']
  /** The model to start from, its labels in the order of the data's. */
  readonly init?: Model
  /** What may be kept, if memory is limited. */
  readonly plan?: MemoryPlan
}

/** Options of a fit that few fits have, checked. */
export const fitParts = (data: Counts, options: SessionFitOptions, { starts, task }: FitSetting): FitParts => {
  const { rank, algorithm, constraints } = task
  const init = options.init && checkInit(data, rank, options.init)
  const asked = { rank, starts, accelerated: algorithm === 'accelerated', single: init !== undefined || rank === 1 }
  const plan = options.memory === undefined ? undefined : planMemory(data, asked, options.memory)
  return defined({ items: checkItems(data, options, constraints), init, plan })
}

/** What variables are taken for, checked; undefined if all are categories. What needs free probabilities of categories is refused for others. */
export const checkItems = (
  data: Counts,
  { items: asked = {}, pseudoCounts, smoothing }: Pick<SessionFitOptions, 'items' | 'pseudoCounts' | 'smoothing'>,
  { fixed, tied }: Pick<ConstraintSetting, 'fixed' | 'tied'> = { fixed: [], tied: [] },
): TaskSetting['items'] | undefined => {
  const items = itemSettings(data, asked)
  if (items === undefined) return undefined
  const { modes } = data
  const given = (option: unknown, n: number) =>
    typeof option === 'object' && option !== null && Object.hasOwn(option, modes[n].name)
  const among = [...fixed, ...tied.flat()]
  modes.forEach(({ name }, n) => {
    const item = items[n]
    if (item === undefined) return
    const why = words`cannot be combined with the ${term('mode')} ${show(name)}, whose probabilities follow from its ${item.spec.kind} item`
    if (among.some(({ mode }) => mode === n)) throw new OptionError('constraints', why)
    if (given(pseudoCounts, n)) throw new OptionError('pseudoCounts', why)
    if (given(smoothing, n)) throw new OptionError('smoothing', why)
  })
  if (smoothing === 'auto')
    throw new OptionError('smoothing', words`cannot be 'auto' together with ${mention('items')}: give a width`)
  return items
}

/** With the same labels it is the start exactly as it is; else it is carried over to those of the data. */
const checkInit = (data: Counts, rank: number, init: Model): Model => {
  if (init.rank !== rank)
    throw new OptionError(
      'init',
      `must have ${rank} ${rank === 1 ? 'class' : 'classes'}, as many as are asked for`,
      init.rank,
    )
  const positions = modePositions(data.modes, init.modes, ['the data', 'init'])
  const modes = positions.map(n => init.modes[n])
  return labelDifferences(modes, data.modes).length === 0
    ? alignModel(init, data.modes, 'init')
    : carryModel(init, data).model
}
