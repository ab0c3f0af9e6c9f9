import { type Bar, bandPath, flowLayout } from '@polyad/charts'
import { counted, percent } from '../../components/numbers.ts'
import { Scrolled } from '../../components/table.tsx'
import type { ShownModel } from '../../state/results/class-profiles.ts'

/** The narrowest that a step from one rank to the next may be, and what the whole is drawn in. */
const STEP = 150
const HEIGHT = 300
const BAR = 46
const TOP = 26

/** Shares of the classes of every rank as bars, with bands where observations go from one to the next. Few ranks stay small. */
export const RankFlow = ({ models }: { readonly models: readonly ShownModel[] }) => {
  const width = (models.length - 1) * STEP + BAR + 2
  const flow = flowLayout(models)
  const colourOf = (rank: number, k: number) => models[rank].classes[k].colour
  const x = (i: number) => 1 + i * STEP
  return (
    <>
      <Scrolled label="How classes split as classes are added">
        <svg
          class="rank-flow"
          viewBox={`0 0 ${width} ${HEIGHT + TOP}`}
          role="img"
          aria-label={`Class sizes for ${models.map(({ rank }) => rank).join(', ')} classes, in matched colours`}
          style={{ minWidth: `${0.85 * width}px`, maxWidth: `${1.25 * width}px` }}
        >
          {flow.bands.map(band => (
            <path
              key={`${band.from} ${band.k} ${band.l}`}
              d={bandPath(band, x(band.from) + BAR, x(band.from + 1), y)}
              fill={colourOf(band.from + 1, band.l)}
              fill-opacity="0.3"
            />
          ))}
          {flow.bars.map(bar => (
            <BarOf key={`${bar.at} ${bar.k}`} bar={bar} x={x(bar.at)} own={models[bar.at].classes[bar.k]} />
          ))}
          {models.map(({ rank }, i) => (
            <text key={rank} x={x(i) + BAR / 2} y="16" text-anchor="middle" class="flow-text">
              {rank}
            </text>
          ))}
        </svg>
      </Scrolled>
      <details>
        <summary class="small">Show as text</summary>
        <FlowWords models={models} />
      </details>
    </>
  )
}

const y = (share: number): number => TOP + share * HEIGHT

const BarOf = ({
  bar,
  x,
  own,
}: {
  readonly bar: Bar
  readonly x: number
  readonly own: ShownModel['classes'][number]
}) => (
  <g>
    <title>{`${own.name}, ${percent(own.share)}`}</title>
    <rect
      x={x}
      y={y(bar.top)}
      width={BAR}
      height={Math.max(1, (bar.bottom - bar.top) * HEIGHT - 1.5)}
      rx="2"
      fill={own.colour}
    />
    {(bar.bottom - bar.top) * HEIGHT > 15 && (
      <text x={x + BAR / 2} y={y((bar.top + bar.bottom) / 2) + 4} text-anchor="middle" class="flow-share">
        {percent(own.share, 0)}
      </text>
    )}
  </g>
)

/** Where the observations of each class are with one class more, in words. */
const FlowWords = ({ models }: { readonly models: readonly ShownModel[] }) => (
  <ul class="small">
    {models.map((model, i) => {
      const next = models[i + 1]
      return (
        <li key={model.rank}>
          {counted(model.rank, 'class', 'classes')}:{' '}
          {model.classes.map(({ name, share }) => `${name} ${percent(share)}`).join('; ')}.
          {model.flows !== null && next !== undefined && (
            <ul>
              {model.flows.map((row, k) => {
                const all = row.reduce((sum, part) => sum + part, 0)
                const parts = row
                  .map((part, l) => ({ part: part / all, name: next.classes[l].name }))
                  .filter(({ part }) => part >= 0.005)
                  .sort((a, b) => b.part - a.part)
                return (
                  all > 0 && (
                    <li key={model.classes[k].k}>
                      Of {model.classes[k].name}, with {next.rank} classes:{' '}
                      {parts.map(({ part, name }) => `${percent(part, 0)} ${name}`).join('; ')}.
                    </li>
                  )
                )
              })}
            </ul>
          )}
        </li>
      )
    })}
  </ul>
)
