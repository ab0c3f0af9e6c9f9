import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'polyad-theme'

const stored = (): Theme => {
  try {
    return THEMES.find(theme => theme === localStorage.getItem(KEY)) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Light, dark, or as the system has it. */
export const theme = signal<Theme>(stored())

effect(() => {
  const { value } = theme
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  try {
    localStorage.setItem(KEY, value)
  } catch {
    // A browser that stores nothing still has the theme until it is closed.
  }
})
