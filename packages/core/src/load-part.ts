import { EngineError } from './errors.ts'

/**
 * A part of the library that few programs need: a bundle for a page has it in a file of its own.
 * @param loading the promise of `import()`
 */
export const loadPart = async <T>(loading: Promise<T>): Promise<T> => {
  try {
    return await loading
  } catch (cause) {
    throw new EngineError(
      'a part of Polyad could not be loaded: check that all files of the program are there, and load the page again',
      { cause },
    )
  }
}
