import type { ComponentChildren } from 'preact'

interface ScrolledProps {
  /** What it holds, for those who do not see it. */
  readonly label: string
  readonly class?: string
  /** How high it may be, as style sheets say it. */
  readonly most?: string
  readonly children: ComponentChildren
}

/** A place that scrolls if what it holds is too large. */
export const Scrolled = ({ label, class: kind, most, children }: ScrolledProps) => (
  <section
    class={kind === undefined ? 'scroll' : `scroll ${kind}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    tabIndex={0}
    aria-label={label}
    style={most === undefined ? undefined : { maxHeight: most }}
  >
    {children}
  </section>
)

/** What stands over a column: text, something with a class or a colour, or nothing. */
export type Heading =
  | string
  | { readonly title: ComponentChildren; readonly class?: string; readonly colour?: string }
  | null

/** Over numbers. */
export const numeric = (title: ComponentChildren): Heading => ({ title, class: 'number' })

/** A name from the data. */
export const named = (name: string): Heading => ({ title: <bdi>{name}</bdi> })

/** Over the numbers of a class. */
export const classHeading = (name: string | undefined, colour: string): Heading => ({
  title: (
    <>
      <span class="swatch" /> <bdi>{name}</bdi>
    </>
  ),
  class: 'number',
  colour,
})

const HeadingOf = ({ heading }: { readonly heading: Heading }) => {
  if (heading === null) return <td />
  const { title, class: kind, colour } = typeof heading === 'string' ? { title: heading } : heading
  return (
    <th scope="col" class={kind} style={colour === undefined ? undefined : { '--colour': colour }}>
      {title}
    </th>
  )
}

interface TableProps extends ScrolledProps {
  readonly headings: readonly Heading[]
  readonly caption?: ComponentChildren
  readonly tableClass?: string
}

/** A table that scrolls; its children are its rows. */
export const Table = ({ headings, caption, tableClass, children, ...place }: TableProps) => (
  <Scrolled {...place}>
    <table class={tableClass}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {headings.map((heading, i) => (
            <HeadingOf key={i} heading={heading} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolled>
)
