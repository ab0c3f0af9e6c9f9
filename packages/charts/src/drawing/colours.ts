import { omit } from '@polyad/core/options'
/**
 * The colours of all charts. In a page they are custom properties with a fallback, so that the page decides (light, dark, its
 * own); in a file they are made literal.
 */
export interface Theme {
  readonly background: string
  readonly ink: string
  /** Of what stands back: axes, remarks. */
  readonly muted: string
  readonly grid: string
  /** Of what is no class: residuals, losses, criteria. */
  readonly accent: string
  /** One per class, in descending size. */
  readonly classes: readonly string[]
}

/*
 * The colours of classes were searched for: hues and lightnesses as far apart as the eye with and without red-green blindness can
 * tell (0.13 in OKLab for any two of the first six, 0.08 of the first ten, 0.06 of all twenty), each with a contrast of at least 3 to
 * the background. Lines have symbols and dashes besides (class-marks.ts).
 */
export const LIGHT: Theme = {
  background: '#ffffff',
  ink: '#1a1a1a',
  muted: '#595959',
  grid: '#dddddd',
  accent: '#8f3d10',
  classes: [
    '#1150b7',
    '#f25e04',
    '#18a581',
    '#790e68',
    '#634000',
    '#2683b0',
    '#a27afd',
    '#757172',
    '#823b51',
    '#686316',
    '#644cff',
    '#19008d',
    '#60000c',
    '#40333f',
    '#fc18c0',
    '#396184',
    '#0c00e4',
    '#d53350',
    '#4e398b',
    '#4e0053',
  ],
}

export const DARK: Theme = {
  background: '#15181c',
  ink: '#ececec',
  muted: '#a8a8a8',
  grid: '#3a3f45',
  accent: '#f0a878',
  classes: [
    '#0f86eb',
    '#cc570a',
    '#65ad96',
    '#a9478f',
    '#e6ba20',
    '#2bd7fd',
    '#b892d8',
    '#c6bebd',
    '#c13a54',
    '#96a740',
    '#5a59c2',
    '#0c54fc',
    '#9ddc7f',
    '#a66d82',
    '#906ac4',
    '#157655',
    '#00b2ff',
    '#9f875e',
    '#7a8cb1',
    '#3ac97f',
  ],
}

/** How dark a cell of a matrix is at most, so that ink can be read on any colour of a class. */
export const DARKEST_CELL = 0.46

export const INK = 'currentColor'
export const MUTED = `var(--muted, ${LIGHT.muted})`
export const GRID = `var(--grid, ${LIGHT.grid})`
export const ACCENT = `var(--accent, ${LIGHT.accent})`
export const BACKGROUND = `var(--background, ${LIGHT.background})`

/**
 * The colour of a class, counted from 0: after the last one they begin again.
 * @example
 * classColour(0) // 'var(--class-1, #1150b7)'
 */
export const classColour = (k: number, colours?: readonly string[]): string => {
  if (colours !== undefined) return colours[k % colours.length]
  const own = k % LIGHT.classes.length
  return `var(--class-${own + 1}, ${LIGHT.classes[own]})`
}

/**
 * The custom properties of a theme, for the style sheet of a page.
 * @example
 * const css = `:root { ${themeCss(LIGHT)} } @media (prefers-color-scheme: dark) { :root { ${themeCss(DARK)} } }`
 */
export const themeCss = ({ classes, ...named }: Theme): string =>
  [
    ...Object.entries(named).map(([name, colour]) => `--${name}: ${colour}`),
    ...classes.map((colour, k) => `--class-${k + 1}: ${colour}`),
  ].join('; ')

/** A colour of a chart as a theme has it: for files, where nothing knows custom properties. */
export const literalColour = (colour: string, theme: Theme): string => {
  if (colour === 'currentColor') return theme.ink
  const [, name, fallback] = /^var\(--([a-z]+(?:-\d+)?),\s*([^)]+)\)$/.exec(colour) ?? []
  if (name === undefined) return colour
  const k = /^class-(\d+)$/.exec(name)?.[1]
  if (k !== undefined) return theme.classes[Number(k) - 1] ?? fallback
  const named = omit(theme, 'classes')
  return Object.hasOwn(named, name) ? named[name as keyof typeof named] : fallback
}
