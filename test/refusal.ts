/** What a call is refused with, as "OptionError: …"; undefined if it is not refused. */
export const refusal = async (call: () => unknown): Promise<string | undefined> => {
  try {
    await call()
    return undefined
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}
