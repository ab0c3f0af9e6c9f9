/** Where what was asked for is. */
interface Written {
  readonly output?: string
  readonly report?: string
}

/** What a command writes besides its answer. If a file cannot be written, the answer is printed all the same, and the command fails after it. */
export interface Writing {
  /** Writes one file, once more if it was written before. */
  readonly write: (
    kind: keyof Written,
    path: string | undefined,
    work: (path: string) => Promise<unknown>,
  ) => Promise<void>
  /** What has been written so far: fields of --json. */
  readonly written: () => Written
  /** The lines that say where it is. */
  readonly lines: () => string[]
  /** Throws what went wrong, if anything did. */
  readonly end: () => void
}

/** @param planned the files that the options name: no other is written */
export const writing = (planned: readonly string[]): Writing => {
  const files = new Map<keyof Written, string>()
  const failures = new Map<keyof Written, unknown>()
  const written = (): Written => Object.fromEntries(files)
  return {
    write: async (kind, path, work) => {
      if (path === undefined) return
      if (!planned.includes(path)) throw new Error(`${path} is not among the files that were planned`)
      try {
        await work(path)
        files.set(kind, path)
        failures.delete(kind)
      } catch (error) {
        files.delete(kind)
        failures.set(kind, error)
      }
    },
    written,
    lines: () => {
      const lines = [...files].map(([kind, path]) => `${kind === 'report' ? 'Wrote' : 'Saved'} ${path}`)
      return lines.length === 0 ? [] : ['', ...lines]
    },
    end: () => {
      for (const error of failures.values()) throw error
    },
  }
}
