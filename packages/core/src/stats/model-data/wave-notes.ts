import { DataError, show } from '../../errors.ts'
import { labelsOf, MISSING, type Mode } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'

/** With as many waves, and answers at so small a part of them, waves are taken for times of interviews. */
const MANY_WAVES = 20
const SELDOM = 0.2
/** So many waves are named. */
const MOST_NAMED = 5

/** The waves of persons, as they were read. */
interface ReadWaves {
  readonly rows: Pick<Tensor, 'modes' | 'indices'>
  readonly waves: Mode
  /** The wave of every row. */
  readonly ofWave: Int32Array
  /** Where the waves of each person begin, and their answers; MISSING if there are none. */
  readonly starts: Int32Array
  readonly patterns: Int32Array
  /** The variables that should have been asked at every wave. */
  readonly asked: readonly string[]
}

/**
 * What a person should know of waves that say little: persons in one wave, waves of hardly anyone, and variables that were not asked in all. If nobody has
 * answers in two waves, that is an error.
 */
export const waveNotes = (
  { person, time }: { readonly person: string; readonly time: string },
  { rows, waves, ofWave, starts, patterns, asked }: ReadWaves,
): string[] => {
  const persons = starts.length - 1
  const answered = Array.from({ length: persons }, (_, unit) =>
    patterns.subarray(starts[unit], starts[unit + 1]).reduce((count, cell) => count + (cell === MISSING ? 0 : 1), 0),
  )
  const once = answered.filter(count => count < 2).length
  if (once === persons)
    throw new DataError(
      words`no person in ${show(person)} has answers in two waves, so change cannot be seen: check the columns of persons and waves; without ${mention('person')} and ${mention('time')} this is an ordinary fit`,
    )
  const notes: string[] = []
  if (once >= persons / 2)
    notes.push(`${once} of ${persons} persons have answers in one wave only, which says nothing of change`)
  const mean = answered.reduce((sum, count) => sum + count, 0) / persons
  if (waves.size >= MANY_WAVES && mean < waves.size * SELDOM)
    notes.push(
      `${show(time)} has ${waves.size} different values, and a person has answers at ${mean.toFixed(1)} of them on average: if these are dates or times of interviews, number the waves first`,
    )
  for (const name of asked) {
    const column = rows.indices[modeNamed(rows, name, 'data')]
    const isAsked = new Uint8Array(waves.size)
    column.forEach((label, row) => {
      if (label !== MISSING) isAsked[ofWave[row]] = 1
    })
    const lacking = labelsOf(waves).filter((_, t) => isAsked[t] === 0)
    if (lacking.length === 0 || lacking.length === waves.size) continue
    const left = lacking.length - MOST_NAMED
    const more = left > 0 ? ` and ${left} more` : ''
    notes.push(
      `${name} has no answers at ${time} = ${lacking.slice(0, MOST_NAMED).join(', ')}${more}; there it is treated as missing`,
    )
  }
  return notes
}
