/** A module of Node's own, or undefined in a browser. Looked up when needed, so that bundlers find no import. */
export const nodeModule = <T>(name: string): T | undefined => {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  return process?.getBuiltinModule?.(name) as T | undefined
}
