import { effect, signal } from '@preact/signals'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

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

export const ThemeButton = () => (
  <label>
    <span class="hidden">Colours</span>
    <select
      value={theme.value}
      onChange={event => {
        theme.value = event.currentTarget.value as Theme
      }}
    >
      {THEMES.map(each => (
        <option key={each} value={each}>
          {each === 'system' ? 'System' : each === 'light' ? 'Light' : 'Dark'}
        </option>
      ))}
    </select>
  </label>
)
