import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** What is downloaded, for those who do not see what stands beside it. */
  readonly what: string
  /** A button for each format. */
  readonly children: ComponentChildren
}

/** One button for all formats of a thing: it opens the list of them. A choice, a click elsewhere and Escape close it. */
export const DownloadMenu = ({ what, children }: Props) => {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current?.open && !(target instanceof Node && menu.current.contains(target))) menu.current.open = false
    }
    addEventListener('pointerdown', close)
    addEventListener('focusin', close)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('focusin', close)
    }
  }, [])
  const shut = () => {
    if (menu.current !== null) menu.current.open = false
    menu.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={menu}
      class="download"
      onKeyDown={event => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return
        // A dialog around it stays open.
        event.preventDefault()
        event.stopPropagation()
        shut()
      }}
    >
      <summary>
        Download<span class="hidden"> {what}</span>
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons within are what is clicked; the list closes after any of them. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button is a click. */}
      <div class="download-formats" onClick={shut}>
        {children}
      </div>
    </details>
  )
}
