/**
 * A document to draw on where there is none, as in a worker: as much of the DOM as charts are made with, and no more. Text is kept as
 * text, and nothing is parsed.
 */

const SVG = 'http://www.w3.org/2000/svg'

class PlainText {
  readonly nodeType = 3
  readonly ownerDocument: PlainDocument
  textContent: string
  parentNode: PlainElement | null = null

  constructor(ownerDocument: PlainDocument, text: string) {
    this.ownerDocument = ownerDocument
    this.textContent = text
  }
}

type PlainNode = PlainElement | PlainText

/** The style attribute, by property. */
class PlainStyle {
  readonly #element: PlainElement
  readonly #values = new Map<string, string>()

  constructor(element: PlainElement) {
    this.#element = element
  }

  setProperty(name: string, value: string): void {
    this.#values.set(name, String(value))
    this.#element.setAttribute('style', [...this.#values].map(([key, own]) => `${key}:${own}`).join(';'))
  }

  removeProperty(name: string): void {
    this.#values.delete(name)
  }

  getPropertyValue(name: string): string {
    return this.#values.get(name) ?? ''
  }
}

class PlainElement {
  readonly nodeType = 1
  readonly ownerDocument: PlainDocument
  readonly namespaceURI: string
  readonly localName: string
  readonly style = new PlainStyle(this)
  readonly isConnected = false
  parentNode: PlainElement | null = null
  readonly #attributes = new Map<string, string>()
  #nodes: PlainNode[] = []

  constructor(ownerDocument: PlainDocument, namespaceURI: string, localName: string) {
    this.ownerDocument = ownerDocument
    this.namespaceURI = namespaceURI
    this.localName = localName
  }

  get tagName(): string {
    return this.localName
  }

  get attributes(): { readonly name: string; readonly value: string }[] {
    return [...this.#attributes].map(([name, value]) => ({ name, value }))
  }

  get childNodes(): readonly PlainNode[] {
    return this.#nodes
  }

  get children(): readonly PlainElement[] {
    return this.#nodes.filter(node => node instanceof PlainElement)
  }

  get firstChild(): PlainNode | null {
    return this.#nodes[0] ?? null
  }

  get lastChild(): PlainNode | null {
    return this.#nodes.at(-1) ?? null
  }

  get textContent(): string {
    return this.#nodes.map(node => node.textContent).join('')
  }

  set textContent(text: string | null) {
    this.#nodes = []
    if (text !== null && text !== '') this.append(String(text))
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name)
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value))
  }

  setAttributeNS(_: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value)
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }

  addEventListener(): void {
    // Nobody points at it.
  }

  append(...nodes: readonly (PlainNode | string)[]): void {
    for (const node of nodes)
      this.appendChild(typeof node === 'string' ? new PlainText(this.ownerDocument, node) : node)
  }

  appendChild<Node extends PlainNode>(node: Node): Node {
    return this.insertBefore(node, null)
  }

  insertBefore<Node extends PlainNode>(node: Node, before: PlainNode | null): Node {
    node.parentNode?.removeChild(node)
    const at = before === null ? -1 : this.#nodes.indexOf(before)
    this.#nodes.splice(at < 0 ? this.#nodes.length : at, 0, node)
    node.parentNode = this
    return node
  }

  removeChild(node: PlainNode): void {
    this.#nodes = this.#nodes.filter(own => own !== node)
    node.parentNode = null
  }

  remove(): void {
    this.parentNode?.removeChild(this)
  }

  replaceWith(...nodes: readonly PlainNode[]): void {
    const parent = this.parentNode
    if (parent === null) return
    for (const node of nodes) parent.insertBefore(node, this)
    parent.removeChild(this)
  }

  /** The first element with this name within it. */
  querySelector(name: string): PlainElement | null {
    for (const child of this.children) {
      const found = child.localName === name ? child : child.querySelector(name)
      if (found !== null) return found
    }
    return null
  }
}

class PlainDocument {
  readonly documentElement: PlainElement = new PlainElement(this, 'http://www.w3.org/1999/xhtml', 'html')

  createElement(name: string): PlainElement {
    return new PlainElement(this, 'http://www.w3.org/1999/xhtml', name)
  }

  createElementNS(namespace: string | null, name: string): PlainElement {
    return new PlainElement(this, namespace ?? SVG, name)
  }

  createTextNode(text: string): PlainText {
    return new PlainText(this, text)
  }
}

/**
 * An empty document to draw charts on, where there is no page: in a worker, or in Node.
 * @example
 * const chart = sharesChart({ classes: classesOf(model) }, { document: plainDocument(), width: 640 })
 * svgText(chart).startsWith('<svg') // true
 */
export const plainDocument = (): Document => new PlainDocument() as unknown as Document
