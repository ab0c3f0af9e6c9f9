import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useRef } from 'preact/hooks'

interface Tab {
  readonly id: string
  readonly title: string
  readonly Content: ComponentType
}

/** The tab that is open: it stays so when one comes back. */
const open = signal<string | null>(null)

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export const Tabs = ({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) => {
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === open.value),
  )
  const { id, Content } = tabs[at]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = step(at, tabs.length)
    open.value = tabs[next].id
    buttons.current[next]?.focus()
  }
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label}>
        {tabs.map((tab, i) => (
          <button
            type="button"
            role="tab"
            key={tab.id}
            id={`results-tab-${tab.id}`}
            ref={button => {
              buttons.current[i] = button
            }}
            aria-selected={i === at}
            aria-controls="results-panel"
            tabIndex={i === at ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => {
              open.value = tab.id
            }}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div id="results-panel" role="tabpanel" aria-labelledby={`results-tab-${id}`} class="results-panel">
        <Content />
      </div>
    </div>
  )
}
