/** Work in steps. Each yields about how many nanoseconds it took: by what was done, never by a clock. */
export type Interruptible<T> = Generator<number, T>

/** Does all steps without a pause. */
export const atOnce = <T>(steps: Interruptible<T>): T => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
