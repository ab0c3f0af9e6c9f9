import { chooseTheme } from '../state/opening/server-files.ts'
import { THEMES, type Theme, theme } from '../state/theme.ts'

export const ThemeButton = () => (
  <label>
    <span class="hidden">Colours</span>
    <select value={theme.value} onChange={event => chooseTheme(event.currentTarget.value as Theme)}>
      {THEMES.map(each => (
        <option key={each} value={each}>
          {each === 'system' ? 'System' : each === 'light' ? 'Light' : 'Dark'}
        </option>
      ))}
    </select>
  </label>
)
