import { useEffect, useRef } from 'preact/hooks'
import { Frame } from './parts/frame.tsx'
import { DataScreen } from './screens/data/data-screen.tsx'
import { FitScreen } from './screens/fit/fit-screen.tsx'
import { LookScreen } from './screens/look/look-screen.tsx'
import { TakeScreen } from './screens/take/take-screen.tsx'
import { UseScreen } from './screens/use/use-screen.tsx'
import { type Screen, screen } from './state/store.ts'

const CONTENT: { readonly [S in Screen]: () => preact.JSX.Element } = {
  data: DataScreen,
  fit: FitScreen,
  look: LookScreen,
  use: UseScreen,
  take: TakeScreen,
}

export const App = () => {
  const Content = CONTENT[screen.value]
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    // A new screen is read from its beginning; the first visit keeps the focus where it is.
    if (!first.current) {
      scrollTo(0, 0)
      main.current?.focus({ preventScroll: true })
    }
    first.current = false
  }, [screen.value])
  return (
    <Frame>
      <main ref={main} tabIndex={-1}>
        <Content />
      </main>
    </Frame>
  )
}
