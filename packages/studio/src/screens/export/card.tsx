import type { ComponentChildren } from 'preact'

interface Props {
  readonly title: string
  /** What it is for, in one line. */
  readonly about: ComponentChildren
  /** How much room it gets beside others. */
  readonly room?: 'half' | 'whole'
  /** Beside the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** What can be exported for one purpose. */
export const Card = ({ title, about, room, aside, children }: Props) => {
  const id = `export-${title.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section class={`export-card${room === undefined ? '' : ` ${room}`}`} aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          <p class="muted small">{about}</p>
        </div>
        {aside}
      </header>
      {children}
    </section>
  )
}
