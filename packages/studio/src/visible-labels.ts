import { visibleProse } from '@polyad/charts/visible-text'
import { type Attributes, options, type VNode } from 'preact'

/** What people read beside the text itself. */
const READ = ['title', 'aria-label', 'aria-description', 'alt', 'placeholder']

/** What is not shown but edited: it stays the data. */
const EDITED = ['textarea', 'style', 'script']

type Props = Attributes & Record<string, unknown>

const shown = (child: unknown): unknown => {
  if (typeof child === 'string') return visibleProse(child)
  return Array.isArray(child) && child.some(each => typeof each === 'string') ? child.map(shown) : child
}

/**
 * Has every text of the page show what cannot be seen in labels and names (changes of direction, control characters, characters of no
 * width) as escapes. In one place: whatever a screen draws comes through here. Values of fields stay as they are.
 */
export const showHidden = (): void => {
  const before = options.vnode
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as Props
    if (typeof vnode.type === 'string' && !EDITED.includes(vnode.type)) {
      if (props.children !== undefined) props.children = shown(props.children) as Props['children']
      for (const name of READ) if (typeof props[name] === 'string') props[name] = shown(props[name])
    }
    before?.(vnode)
  }
}
