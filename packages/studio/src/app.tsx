import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { Frame } from './components/frame.tsx'
import { ClassifyScreen } from './screens/classify/classify-screen.tsx'
import { DataScreen } from './screens/data/data-screen.tsx'
import { FitScreen } from './screens/fit/fit-screen.tsx'
import { showAddress } from './state/project/address.ts'
import { saveProject } from './state/project/project.ts'
import { type Screen, screen, table } from './state/store/store.ts'

/** A screen that is heavy with its charts: it comes when it is first wanted. */
const later = (title: string, load: () => Promise<ComponentType>) => () => {
  const [Content, setContent] = useState<ComponentType | null>(null)
  useEffect(() => {
    load().then(found => setContent(() => found))
  }, [])
  return Content === null ? <h1>{title}</h1> : <Content />
}

const resultsScreen = () => import('./screens/results/results-screen.tsx')
const exportScreen = () => import('./screens/export/export-screen.tsx')

/** What the page loads when it is first wanted. */
export const LATER_PARTS = [resultsScreen, exportScreen, () => import('./state/project/open-project.ts')] as const

const ResultsScreen = later('Results', async () => (await resultsScreen()).Results)
const ExportScreen = later('Export', async () => (await exportScreen()).ExportScreen)

const CONTENT: { readonly [S in Screen]: () => preact.JSX.Element } = {
  data: DataScreen,
  fit: FitScreen,
  results: ResultsScreen,
  classify: ClassifyScreen,
  export: ExportScreen,
}

/** The page; if a bug keeps it from being drawn, what happened and what to do. */
export const App = () => {
  const [fault] = useErrorBoundary()
  return fault === undefined ? <Page /> : <Fault fault={fault} />
}

const Fault = ({ fault }: { readonly fault: unknown }) => (
  <main class="fault-page stack">
    <h1>Something went wrong</h1>
    <p role="alert">
      A bug in Polyad stopped this page; your data is safe: <code>{String(fault)}</code>
    </p>
    <p>
      Reload the page to continue. If you end up here again, start with a new project: this one stays in the list of
      projects.
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={() => location.reload()}>
        Reload the page
      </button>
      <button type="button" onClick={saveProject}>
        Save project as a file
      </button>
      <button
        type="button"
        onClick={() => {
          showAddress(null, false)
          location.reload()
        }}
      >
        New project
      </button>
    </div>
  </main>
)

const Page = () => {
  const Content = CONTENT[screen.value]
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    // A new screen or table is read from its beginning; the first visit keeps the focus where it is.
    if (!first.current) {
      scrollTo(0, 0)
      main.current?.focus({ preventScroll: true })
    }
    first.current = false
  }, [screen.value, table.value?.name])
  return (
    <Frame>
      <main ref={main} id="content" tabIndex={-1}>
        <Content />
      </main>
    </Frame>
  )
}
