import { download } from '../../parts/download.ts'
import { safeName } from '../files.ts'
import { currentProject, projectName } from '../store.ts'
import { projectFile } from './project-file.ts'

/** Hands the project over as one file. What was under way is not in it. */
export const saveProject = (): void =>
  download(
    `${safeName(projectName.peek()) || 'polyad'}.polyad-project`,
    projectFile({ ...currentProject(), fitting: false }),
  )
