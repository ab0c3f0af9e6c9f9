import { type GlossaryTerm, statisticsOn } from 'polyad/report'
import { ClassMark } from '../../components/class-mark.tsx'
import { count } from '../../components/numbers.ts'
import { FigureName, TermButton } from '../../components/term.tsx'
import { type ShownModel, shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit } from '../../state/store/store.ts'
import { pinClass, pinnedClass, pointAtClass } from './highlight.ts'
import { LabelPanel } from './label-panel.tsx'
import {
  charts,
  independence,
  intervals,
  isBySeparation,
  leftOut,
  linesOptions,
  overview,
  panels,
  plainOptions,
  reference,
  reports,
} from './on-demand-results.ts'
import { PointChart } from './point-chart.tsx'
import { ProfilePanels, showsHeatMap, ViewSwitch } from './profile-panels.tsx'

/** What the classes are: the probability of every label within each. */
export const ProfilesTab = () => {
  const model = shownModel.value
  if (model === null) return null
  return (
    <div class="with-aside">
      <div class="stack profiles">
        <Charts />
      </div>
      <aside class="stack" aria-label="Classes and category">
        <Legend model={model} />
        <LabelPanel
          model={model}
          hint="Point at a bar, a line or a category to see its classes here. Click to keep it. With the keyboard, choose a category under Show table."
        />
        {model.rank > 1 && <Reference />}
      </aside>
    </div>
  )
}

/** Of more variables than this one picture comes first, and their panels on demand. */
const MANY = 12

const Charts = () => {
  const [drawn, state] = [charts.value, reports.chosen.value]
  if (state?.state === 'failed') return <Failed message={state.message} />
  if (drawn === null) return <output class="muted">Preparing the charts …</output>
  const { lines, top, time, pairs, curves, profiles } = drawn
  const classes = (profiles ?? lines)?.classes.length ?? 0
  const heatMap = showsHeatMap(classes, panels.value.length)
  return (
    <>
      {intervals.value !== null && (
        <p class="small muted">Thin lines are the intervals from the standard errors computed under Fit & tests.</p>
      )}
      {panels.value.length > MANY && <Overview heatMap />}
      {panels.value.length > 0 && (
        <Part
          title="Profiles"
          words={profileWords(panels.value.map(({ modes: [mode] }) => mode.number !== undefined))}
          beside={
            <div class="row">
              {panels.value.length > 1 && classes > 1 && <OrderChoice />}
              <ViewSwitch classes={classes} variables={panels.value.length} />
            </div>
          }
        >
          {panels.value.length > MANY ? (
            <details>
              <summary>Every category of {count(panels.value.length)} variables</summary>
              <ProfilePanels />
            </details>
          ) : (
            <ProfilePanels />
          )}
        </Part>
      )}
      {panels.value.length <= MANY && <Overview heatMap={heatMap} />}
      {top !== null && (
        <Part
          title="What marks the classes"
          words="For variables with many categories: those that set a class apart. The tick shows all classes together."
        >
          <PointChart kind="top" data={top} options={plainOptions.value} />
        </Part>
      )}
      {time.map(each => (
        <Part
          key={each.mode.name}
          title={`${each.mode.name}, in order`}
          words={
            each.each === 1
              ? 'Grey: overall.'
              : `Each point covers ${count(each.each)} neighbouring categories. Grey: overall.`
          }
        >
          <PointChart kind="time" data={each} options={plainOptions.value} />
        </Part>
      ))}
      {pairs !== null && (
        <Part title="Two variables together" words="The most frequent categories of two variables, within each class.">
          <PointChart kind="pairs" data={pairs} options={plainOptions.value} />
        </Part>
      )}
      {curves !== null && (
        <Part title="Membership by covariate" words="How class sizes change with each covariate.">
          <PointChart kind="curves" data={curves} options={plainOptions.value} />
        </Part>
      )}
      {leftOut.value.map(text => (
        <p key={text} class="small muted">
          {text}
        </p>
      ))}
    </>
  )
}

/** All variables in one picture: of many, a row for each. */
const Overview = ({ heatMap }: { readonly heatMap: boolean }) =>
  overview.value && (
    <Part
      title="Overview"
      words={`One number per variable and class${isBySeparation.value ? '; what separates the classes most comes first' : ''}.`}
    >
      <PointChart kind="lines" data={overview.value} options={linesOptions.value[heatMap ? 'heat map' : 'lines']} />
    </Part>
  )

const OrderChoice = () => (
  <select
    aria-label="Order of the variables"
    value={isBySeparation.value ? 'separation' : 'data'}
    onChange={event => {
      isBySeparation.value = event.currentTarget.value === 'separation'
    }}
  >
    <option value="separation">Most separating first</option>
    <option value="data">Order of the data</option>
  </select>
)

/** What the panels show, by whether each is of a number. */
const profileWords = (numbers: readonly boolean[]): string =>
  [
    ...(numbers.every(Boolean) ? [] : ['The probability of each category within each class.']),
    ...(numbers.some(Boolean) ? ['Of numbers, the mean within each class ± one standard deviation.'] : []),
  ].join(' ')

export const Failed = ({ message }: { readonly message: string }) => (
  <div class="note error">
    <p>{message}</p>
    <button type="button" onClick={() => reports.start()}>
      Try again
    </button>
  </div>
)

interface PartProps {
  readonly title: string
  readonly words: string
  /** What its title means, for a "?" beside it. */
  readonly term?: GlossaryTerm | undefined
  /** At the right of the title. */
  readonly beside?: preact.ComponentChildren
  readonly children: preact.ComponentChildren
}

export const Part = ({ title, words, term, beside, children }: PartProps) => (
  <section class="part" aria-label={title}>
    <div class="part-head">
      <div>
        <div class="titled">
          <h2>{title}</h2>
          {term !== undefined && <TermButton term={term} />}
        </div>
        <p class="small muted">{words}</p>
      </div>
      {beside}
    </div>
    {children}
  </section>
)

/** The classes as buttons: pointing at one, or the focus, brings it forward; pressing keeps it there. */
export const Legend = ({ model }: { readonly model: ShownModel }) => (
  <ul class="legend-buttons" aria-label="Highlight a class">
    {model.classes.map(({ k, name, subtitle, colour, place }) => (
      <li key={k}>
        <button
          type="button"
          style={{ '--colour': colour }}
          aria-pressed={pinnedClass.value === k}
          onPointerEnter={event => event.pointerType !== 'touch' && pointAtClass(k)}
          onPointerLeave={() => pointAtClass(null)}
          onFocus={event => event.currentTarget.matches(':focus-visible') && pointAtClass(k)}
          onBlur={() => pointAtClass(null)}
          onClick={() => pinClass(k)}
        >
          <ClassMark place={place} />
          <span>
            <bdi>{name}</bdi>
            {subtitle !== '' && (
              <>
                {' '}
                <bdi class="small muted class-subtitle">{subtitle}</bdi>
              </>
            )}
          </span>
        </button>
      </li>
    ))}
  </ul>
)

/** What one class would give: beside the charts, and in figures. */
const Reference = () => {
  const [own, one] = [chosenFit.value?.figures, independence.value]
  return (
    <div class="reference">
      <label class="small toggle">
        <input
          type="checkbox"
          checked={reference.value}
          onChange={event => {
            reference.value = event.currentTarget.checked
          }}
        />
        Compare with one class (independence)
      </label>
      {reference.value && <p class="small muted">Ticks and dashed lines show all classes together.</p>}
      {reference.value && own !== undefined && one !== undefined && (
        <table class="small">
          <thead>
            <tr>
              <td />
              <th scope="col" class="number">
                {own.rank === 1 ? 'this' : `${own.rank} classes`}
              </th>
              <th scope="col" class="number">
                one class
              </th>
            </tr>
          </thead>
          <tbody>
            {statisticsOn('against').map(({ key, name, term, text }) => (
              <tr key={key}>
                <th scope="row">
                  <FigureName name={name} term={term} />
                </th>
                <td class="number">{text(own)}</td>
                <td class="number">{text(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
