import { axisPlace, hasCommonAxis, isHeatMap, type ProfilesData } from '@polyad/charts'
import { intervalText } from '@polyad/core/model'
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { described } from '../../state/results/class-profiles.ts'
import { pinnedLabel } from './highlight.ts'
import { charts, panels, profileOptions } from './on-demand-results.ts'
import { PointChart } from './point-chart.tsx'

/** Lines or heat maps, as a person has chosen; null: as suits the number of classes and variables. */
const chosenView = signal<'lines' | 'heat map' | null>(null)

const VIEWS = ['lines', 'heat map'] as const
const TITLES = { lines: 'Lines and bars', 'heat map': 'Heat map' } as const

/** Whether heat maps are shown. */
export const showsHeatMap = (classes: number, variables: number): boolean =>
  chosenView.value === null ? isHeatMap(classes, variables) : chosenView.value === 'heat map'

export const ViewSwitch = ({ classes, variables }: { readonly classes: number; readonly variables: number }) => {
  const shown = VIEWS[Number(showsHeatMap(classes, variables))]
  return (
    <fieldset class="segments">
      <legend class="hidden">Show profiles as</legend>
      {VIEWS.map(view => (
        <button
          type="button"
          key={view}
          aria-pressed={view === shown}
          onClick={() => {
            chosenView.value = view
          }}
        >
          {TITLES[view]}
        </button>
      ))}
    </fieldset>
  )
}

/** The narrowest panel, and what is between two of them, in pixels. */
const [LEAST, GAP] = [250, 24]

/** A panel for each variable. They share an axis, whose numbers stand left of the first column. */
export const ProfilePanels = () => {
  const place = useRef<HTMLDivElement>(null)
  const columns = useColumns(place)
  const variables = panels.value.length
  const heatMap = showsHeatMap(charts.value?.profiles?.classes.length ?? 0, variables)
  // Rows as equal as can be: no panel stands alone where the others stand in threes.
  const shown = Math.ceil(variables / Math.ceil(variables / columns))
  const places = panels.value.map(({ modes: [mode], classes }) => hasCommonAxis(mode, classes.length, false))
  return (
    <div
      ref={place}
      class={heatMap ? 'panels' : 'panels axed'}
      style={{
        gridTemplateColumns: `repeat(${Math.max(1, shown)}, minmax(0, ${variables < columns ? '30rem' : '1fr'}))`,
      }}
    >
      {panels.value.map((panel, i) => (
        <VariablePanel
          key={panel.modes[0].name}
          panel={panel}
          view={heatMap ? 'heat map' : axisPlace(places, i, Math.max(1, shown))}
        />
      ))}
    </div>
  )
}

const useColumns = (place: { readonly current: HTMLElement | null }): number => {
  const [columns, setColumns] = useState(1)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setColumns(Math.max(1, Math.floor((contentRect.width + GAP) / (LEAST + GAP)))),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return columns
}

const VariablePanel = ({
  panel,
  view,
}: {
  readonly panel: ProfilesData
  readonly view: keyof typeof profileOptions.value
}) => {
  const [{ name, number }] = panel.modes
  return (
    <div class="mode-panel">
      <PointChart kind="profiles" data={panel} options={profileOptions.value[view]}>
        {number === undefined && <CategoryChoice name={name} />}
      </PointChart>
    </div>
  )
}

/** The categories of a variable, for those who do not point: one that is chosen is shown beside the charts. */
const CategoryChoice = ({ name }: { readonly name: string }) => {
  const mode = described.value?.modes.findIndex(each => each.name === name) ?? -1
  const labels = described.value?.modes[mode]?.labels ?? []
  const chosen = pinnedLabel.value?.mode === mode ? pinnedLabel.value.label : -1
  return (
    <select
      class="small"
      aria-label={`Category of ${name}`}
      value={chosen < 0 ? '' : `${chosen}`}
      onChange={event => {
        const { value } = event.currentTarget
        pinnedLabel.value = value === '' ? null : { mode, label: Number(value) }
      }}
    >
      <option value="">Details of a category …</option>
      {labels.map((label, j) => (
        <option key={label} value={j}>
          {intervalText(label)}
        </option>
      ))}
    </select>
  )
}
