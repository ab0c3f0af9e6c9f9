import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a person prefers in every project. Every start has an origin of its own, so that the browser cannot remember it. */
export interface Preferences {
  readonly theme: Theme
}

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const FILE = 'preferences.json'

/** Preferences from JSON; undefined if they are not such. */
export const preferencesOf = (value: unknown): Preferences | undefined => {
  const { theme, ...rest } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const known = THEMES.find(each => each === theme)
  return known === undefined || Object.keys(rest).length > 0 ? undefined : { theme: known }
}

/** The preferences in a folder of projects; null if there are none, or none that can be read. */
export const readPreferences = async (folder: string): Promise<Preferences | null> => {
  try {
    return preferencesOf(JSON.parse(await readFile(join(folder, FILE), 'utf8'))) ?? null
  } catch {
    return null
  }
}

/** Writes them whole: another studio may be reading them. */
export const writePreferences = async (folder: string, preferences: Preferences): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = join(folder, `.preferences-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(fresh, `${JSON.stringify(preferences)}\n`, { mode: 0o600 })
    await rename(fresh, join(folder, FILE))
  } finally {
    await rm(fresh, { force: true })
  }
}
