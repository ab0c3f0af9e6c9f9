import type { ComponentChildren } from 'preact'
import { isReady, TITLES } from '../state/navigation/navigation.ts'
import { chooseTheme } from '../state/opening/server-files.ts'
import { busy, cancel, message, share } from '../state/page/messages.ts'
import { THEMES, type Theme, theme } from '../state/page/theme.ts'
import { isRunning, SCREENS, screen, settings } from '../state/store/store.ts'
import { Notices } from './notices.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectsDialog } from './projects-dialog.tsx'
import { ReplaceQuestion } from './replace-question.tsx'
import { GlossaryButton, Terms } from './term.tsx'

const ThemeButton = () => (
  <label>
    <span class="hidden">Colours</span>
    <select value={theme.value} onChange={event => chooseTheme(event.currentTarget.value as Theme)}>
      {THEMES.map(each => (
        <option key={each} value={each}>
          {each === 'system' ? 'System theme' : each === 'light' ? 'Light theme' : 'Dark theme'}
        </option>
      ))}
    </select>
  </label>
)

export const Frame = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="frame">
    <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
      Skip to content
    </button>
    <header>
      <div class="bar">
        <span class="brand">
          <img src="./icon.svg" alt="" />
          <span class="brand-name">Polyad studio</span>
        </span>
        <nav aria-label="Steps" class="steps">
          {SCREENS.map((each, i) => (
            <button
              type="button"
              key={each}
              aria-label={`${i + 1}. ${TITLES[each]}${each === 'fit' && isRunning.value ? ' …' : ''}`}
              disabled={!isReady(each)}
              aria-current={screen.value === each ? 'page' : undefined}
              onClick={() => {
                screen.value = each
              }}
            >
              <span>
                {i + 1}
                <span class="step-dot">. </span>
                <span class="step-name">{TITLES[each]}</span>
              </span>
              {each === 'fit' && isRunning.value ? ' …' : ''}
            </button>
          ))}
        </nav>
        <div class="row tools">
          <ProjectMenu>
            <div class="row menu-tools">
              <Tools />
            </div>
          </ProjectMenu>
          <div class="row bar-tools">
            <Tools />
          </div>
        </div>
      </div>
    </header>
    <Messages />
    <Notices />
    {children}
    <output class={busy.value === null ? 'hidden' : 'busy'}>
      {busy.value === null ? '' : `${capital(busy.value)}${isRunning.value ? ', after the fit' : ''} …`}
    </output>
    <Waiting />
    <ProjectsDialog />
    <ReplaceQuestion />
    <footer>
      <GlossaryButton />
    </footer>
    <Terms />
  </div>
)

/** How far long work is, with a way out of it. */
const Waiting = () =>
  busy.value === null || cancel.value === null ? null : (
    <div class="waiting">
      <progress aria-label={busy.value} max={1} {...(share.value !== null && { value: share.value })} />
      <span class="number small">{share.value === null ? '' : `${Math.floor(100 * share.value)}%`}</span>
      <button type="button" onClick={() => cancel.value?.()}>
        Cancel
      </button>
    </div>
  )

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** In the bar, and on narrow screens in the menu. */
const Tools = () => (
  <>
    <button type="button" class="plain" disabled={!settings.canUndo.value} onClick={settings.undo}>
      Undo
    </button>
    <button type="button" class="plain" disabled={!settings.canRedo.value} onClick={settings.redo}>
      Redo
    </button>
    <ThemeButton />
  </>
)

const Messages = () => {
  const now = message.value
  return (
    <div class="messages" aria-live="polite">
      {now !== null && (
        <div class={`message ${now.kind}`} role={now.kind === 'error' ? 'alert' : 'status'}>
          <span>
            {now.text}
            {now.action !== undefined && (
              <>
                {' '}
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    now.action?.run()
                    message.value = null
                  }}
                >
                  {now.action.text}
                </button>
              </>
            )}
          </span>
          <button
            type="button"
            class="plain"
            aria-label="Close this message"
            onClick={() => {
              message.value = null
            }}
          >
            ×
          </button>
        </div>
      )}
    </div>
  )
}
