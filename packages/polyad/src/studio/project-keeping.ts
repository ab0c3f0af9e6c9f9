import { resolve } from 'node:path'
import { ProjectFolder } from './project-folder.ts'
import { projectsFolder, reasonAgainst } from './project-place.ts'

/** Where a studio keeps projects, or why it keeps none. */
export type Keeping = { readonly folder: ProjectFolder } | { readonly reason: string }

export interface KeepingOptions {
  /** The folder in which projects are kept. Default: that of Polyad among the user's data. */
  readonly projects?: string
  /** Whether no project is kept. Default: false. */
  readonly keepNothing?: boolean
}

/** Where projects are kept. A folder that cannot be written to is no reason not to start. */
export const keepingOf = ({ keepNothing = false, projects = projectsFolder() }: KeepingOptions): Keeping => {
  if (keepNothing) return { reason: 'the studio was started with --keep-nothing' }
  const place = resolve(projects)
  const reason = reasonAgainst(place)
  if (reason !== undefined) return { reason }
  const folder = new ProjectFolder(place)
  void folder.sweep()
  return { folder }
}
