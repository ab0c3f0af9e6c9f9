import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reader } from '@polyad/core/options'

/** What a person prefers in every project. Every start has an origin of its own, so that the browser cannot remember it. */
export interface Preferences {
  readonly theme: Theme
}

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const FILE = 'preferences.json'

export const preferencesFrom = reader.onlyFields<Preferences>({ theme: reader.oneOf(THEMES) })

/** The preferences in a folder of projects; null if there are none, or none that can be read. */
export const readPreferences = async (folder: string): Promise<Preferences | null> => {
  try {
    return preferencesFrom(JSON.parse(await readFile(join(folder, FILE), 'utf8')), FILE)
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
