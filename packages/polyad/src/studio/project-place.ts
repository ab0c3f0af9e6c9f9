import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, sep } from 'node:path'

/** Where projects are kept: in a folder of the user's own. */

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of projects unless another is chosen, by the customs of each system. */
export const projectsFolder = (
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: string = homedir(),
): string => {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Polyad', 'projects')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Polyad', 'projects')
  const { XDG_DATA_HOME: data = '' } = env
  // A relative path there means nothing, says the specification.
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'polyad', 'projects')
}

/** A folder as a person reads it: their home is `~`. */
export const shownFolder = (folder: string, home: string = homedir()): string =>
  folder.startsWith(join(home, sep)) ? `~${folder.slice(home.length)}` : folder

/** Why a folder cannot keep projects; undefined if it can. Nothing is made yet: a studio that keeps nothing leaves nothing. */
export const reasonAgainst = (folder: string): string | undefined => {
  let above = folder
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  try {
    const stats = statSync(above)
    if (!stats.isDirectory()) return `${shownFolder(above)} is not a folder`
    if (above === folder && process.platform !== 'win32' && (stats.mode & 0o002) !== 0)
      return `every user of this machine can write to ${shownFolder(folder)}`
    accessSync(above, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `${shownFolder(above)} cannot be written to (${(error as NodeJS.ErrnoException).code})`
  }
}
