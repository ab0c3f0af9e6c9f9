import { type Saving, saving } from '../state/project/keeper.ts'

const WORDS: Readonly<Record<Saving['kind'], string>> = {
  empty: '',
  saving: 'Saving…',
  saved: 'Saved',
  elsewhere: 'Not saved',
  removed: 'Not saved',
  failed: 'Not saved',
  off: 'Not kept',
}

/** Why a project is not saved, in a few words; undefined if it is, or is about to be. */
export const reasonOf = (now: Saving | null): string | undefined => {
  if (now?.kind === 'elsewhere') return 'open in another tab'
  if (now?.kind === 'removed') return 'removed from the list'
  if (now?.kind === 'failed' || now?.kind === 'off') return now.reason ?? undefined
  return undefined
}

/** Whether the project is saved, beside its name. What is wrong is announced by the notices. */
export const SavedState = () => {
  const now = saving.value
  if (now === null || now.kind === 'empty') return null
  const reason = reasonOf(now)
  return (
    <span class={`saved-state ${now.kind}`} title={reason}>
      {WORDS[now.kind]}
      {reason !== undefined && <span class="hidden">: {reason}</span>}
    </span>
  )
}
