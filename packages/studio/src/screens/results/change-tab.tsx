import { changeData, mixesData } from '@polyad/charts'
import { useMemo } from 'preact/hooks'
import { Chart } from '../../components/chart.tsx'
import { chosenModel, classColours, classNames } from '../../state/results/chosen.ts'
import { Part } from './profiles-tab.tsx'

/** How classes change from wave to wave, or how their sizes differ between classes of groups. */
export const ChangeTab = () => {
  const [file, names, colours] = [chosenModel.value, classNames.value, classColours.value]
  const options = useMemo(() => ({ colours }), [colours])
  const change = useMemo(() => file && changeData(file.model, names), [file, names])
  const mixes = useMemo(() => file && mixesData(file.model, names), [file, names])
  return (
    <div class="stack">
      {change && (
        <>
          <Part
            title="Moves between waves"
            words="A bar for each wave, with the class sizes in %. Bands are as wide as the part of all people who move that way."
          >
            <Chart kind="flows" data={change} options={options} />
          </Part>
          <Part
            title="Transitions"
            words="For those in a class (rows), the probability of each class at the next wave (columns), in %. Standard errors are in the table under Export, after they are computed under Fit & tests."
          >
            <Chart kind="transitions" data={change} options={options} />
          </Part>
        </>
      )}
      {mixes && (
        <Part
          title="Class sizes by group class"
          words="A bar for each class of groups: the class sizes of its members, in %. The part of the groups is in parentheses."
        >
          <Chart kind="mixes" data={mixes} options={options} />
        </Part>
      )}
    </div>
  )
}
