import { linksOf } from '../../model/links/link-kinds.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { random } from '../../numeric/philox.ts'

export { linkedSession } from '../../engine/linked/linked-session.ts'

/** Random tables of what links the rows, near to the class sizes of a start. */
export const linkedStart = (
  from: ModelParameters,
  links: LinkSetting,
  seed: number,
  start: number,
): ModelParameters => {
  const { uniform } = random(seed, 'links', start)
  return { ...from, tables: linksOf(links, from.shares.length).start(from.shares, uniform) }
}
