import { percent } from '../../parts/numbers.ts'
import type { ShownModel } from '../../state/results/looked.ts'
import { frontClass, pinClass, pointAtClass } from './front.ts'

/** A part narrower than this has no room for its number. */
const LEAST = 0.05

/** How large the classes are, as parts of one bar. The cards below it say the same in words. */
export const SizesBar = ({ model }: { readonly model: ShownModel }) =>
  model.rank === 1 ? null : (
    <div class="sizes-bar" aria-hidden="true">
      {model.classes.map(({ k, name, share, colour }) => (
        <button
          type="button"
          tabIndex={-1}
          key={k}
          class={frontClass.value !== null && frontClass.value !== k ? 'back' : ''}
          title={`${name}: ${percent(share)}`}
          style={{ '--colour': colour, flexGrow: share }}
          onPointerEnter={event => event.pointerType !== 'touch' && pointAtClass(k)}
          onPointerLeave={() => pointAtClass(null)}
          onClick={() => pinClass(k)}
        >
          {share >= LEAST && <span>{percent(share, 0)}</span>}
        </button>
      ))}
    </div>
  )
