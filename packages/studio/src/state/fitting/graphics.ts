import { signal } from '@preact/signals'
import { worker } from '../../worker/client.ts'

/** Whether the browser offers a graphics device to compute on; false until it has answered. */
export const hasGraphics = signal(false)

let isAsked = false

/** Asks the browser, once. */
export const findGraphics = async (): Promise<void> => {
  if (isAsked) return
  isAsked = true
  try {
    hasGraphics.value = await worker.call('graphics', [])
  } catch {
    // The worker was lost: the next one is asked again.
    isAsked = false
  }
}
