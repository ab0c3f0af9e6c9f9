import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The classes that were found. With its charts it is heavy, and comes when it is first wanted. */
export const LookScreen = () => {
  const [Content, setContent] = useState<ComponentType | null>(null)
  useEffect(() => {
    import('./look.tsx').then(({ Look }) => setContent(() => Look))
  }, [])
  return Content === null ? <h1>The classes</h1> : <Content />
}
