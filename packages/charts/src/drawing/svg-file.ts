import { LIGHT, literalColour, type Theme } from './colours.ts'

const escapeText = (text: string): string => text.replace(/[&<>\u00a0]/g, character => `&#${character.charCodeAt(0)};`)

/**
 * Text as the value of an attribute, or as the content of an element, of XML and HTML.
 * @example
 * escapeXml('<b>') // '&#60;b&#62;'
 */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\u00a0\n\r\t]/g, character => `&#${character.charCodeAt(0)};`)

/**
 * An element as XML, whatever document it is of: one that prints HTML would leave some of it unescaped.
 * @example
 * svgText(sharesChart({ classes: classesOf(model) }, { document, width: 640 })).startsWith('<svg') // true
 */
export const svgText = (element: Element, colour: (value: string) => string = value => value): string => {
  // Sorted, since documents differ in the order they keep.
  const attributes = [...element.attributes]
    .map(({ name, value }) => ` ${name}="${escapeXml(colour(value))}"`)
    .sort((a, b) => (a < b ? -1 : 1))
  const children = [...element.childNodes].map(child =>
    child.nodeType === 1
      ? svgText(child as Element, colour)
      : child.nodeType === 3
        ? escapeText(child.textContent ?? '')
        : '',
  )
  const name = element.localName
  const open = `<${name}${attributes.join('')}`
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`
}

/**
 * A chart as a file of its own: colours are those of a theme, on its background.
 * @example
 * const chart = profilesChart(profilesData(model), { document, width: 960 })
 * svgFile(chart, DARK).includes('var(') // false
 */
export const svgFile = (chart: SVGSVGElement, theme: Theme = LIGHT): string => {
  const text = svgText(chart, value => literalColour(value, theme))
  // After what it says for those who cannot see it, which must come first.
  return `${text.replace(/<\/desc>/, `</desc><rect width="100%" height="100%" fill="${theme.background}"/>`)}\n`
}
