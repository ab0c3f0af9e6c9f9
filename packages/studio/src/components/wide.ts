import { signal } from '@preact/signals'

/** Whether there is room for something beside the main thing, as the style sheets have it. */
const query = globalThis.matchMedia?.('(min-width: 1100px)')

export const isWide = signal(query?.matches ?? true)

query?.addEventListener('change', ({ matches }) => {
  isWide.value = matches
})
