import type { DataFile } from '../../worker/protocol.ts'
import type { ProjectParts } from './project-file.ts'

/** Where projects are kept: by the server of the studio, or in the browser if there is no server. Both do the same. */
export interface ProjectStore {
  /** Where that is, for a person: "in ~/.local/share/polyad/projects". */
  readonly place: string
  /** All projects, the last saved first. */
  list(): Promise<readonly ProjectEntry[]>
  /** Makes room for a new project; its id. It is in the list once something is saved in it. */
  create(): Promise<string>
  open(id: string): Promise<SavedProject>
  /** Saves a change; the new revision. */
  save(id: string, change: ProjectChange): Promise<number>
  /** The same for a page that is being left: begun at once, and waited for by nobody. Without data and results. */
  saveAtLast(id: string, change: ProjectChange): void
  /** The present revision, and who saved it. */
  revision(id: string): Promise<{ readonly revision: number; readonly writer: string | null }>
  rename(id: string, name: string | null, title: string): Promise<number>
  /** Keeps the state of a fit that is running, in place of the one before; null: of none. It is no change, and makes no revision. */
  keepCheckpoint(id: string, bytes: Uint8Array | null): Promise<void>
  /** The state of the fit that was running; null if none is kept. */
  checkpoint(id: string): Promise<Uint8Array | null>
  remove(id: string): Promise<void>
}

/** A project in the list. */
export interface ProjectEntry {
  readonly id: string
  /** When it was saved, in ISO 8601. */
  readonly saved: string
  /** Why it cannot be opened. */
  readonly damaged?: string
  /** The rest is absent if it is damaged. */
  readonly title?: string
  readonly bytes?: number
  /** How many fits it has. */
  readonly fitted?: number
  /** The name of its data, and the bytes of it. */
  readonly data?: string | null
  readonly dataBytes?: number
  /** SHA-256 of the data, in hexadecimal, if the server has a copy of it. */
  readonly digest?: string | null
}

export interface SavedProject {
  readonly revision: number
  readonly name: string | null
  readonly parts: ProjectParts
  /** Why its data is not there any more. */
  readonly lost?: string
}

/** What has changed. Data and results that are not named stay as they were in the revision that the tab knows. */
export interface ProjectChange {
  /** The revision that the tab knows; 0 for a new project. If there is a later one, of another tab, the change is refused. */
  readonly revision: number
  /** Who saves, and the how manieth time: a tab does not conflict with itself. */
  readonly writer: string
  readonly sequence: number
  readonly name: string | null
  /** What it is called in a list. */
  readonly title: string
  readonly description: unknown
  readonly results?: Pick<ProjectParts, 'fits' | 'models'>
  readonly data?: DataFile | null
}

/** Why a store could not do what was asked; the message is for a person. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly kind: 'conflict' | 'removed' | 'other'

  constructor(kind: StoreFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export const CONFLICT = 'this project was saved in another tab'
export const REMOVED = 'there is no such project: it was removed'
