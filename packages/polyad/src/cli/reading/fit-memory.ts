import { type Counts, type FitOptions, OptionError } from '@polyad/core'
import { memoryOfFit } from '@polyad/core/engine'
import { memoryText } from '../../report/figures/model-size.ts'
import { bytesOf, freeMemory } from '../../source/open-data.ts'
import { sizeText } from '../../table/values/note.ts'
import type { Source } from './open-source.ts'

type Asked = Pick<FitOptions, 'rank' | 'starts' | 'algorithm'>

/** The part of the free memory that a fit is advised to take. */
const SAFE = 0.8

/** How many bytes a fit takes besides the cells, if it may take what it likes. */
export const reserveFor =
  (asked: Asked) =>
  (data: Counts): number =>
    memoryOfFit(data, asked).usual

/**
 * What is left of --memory for the fit, as one of its options; refuses a fit that cannot do with so little. Without --memory a fit takes what it
 * likes, so that results do not depend on the machine: one that takes more than this machine has is refused.
 * @param planned what the plan of the fit says that it takes
 * @param free the bytes that the machine has for it
 */
export const fitMemory = (
  { room, tensor }: Pick<Source, 'room' | 'tensor'>,
  memory: string | undefined,
  asked: Asked & Pick<FitOptions, 'init'>,
  planned = memoryOfFit(tensor, asked),
  free = freeMemory(),
): Pick<FitOptions, 'memory'> => {
  const { usual, least } = planned
  if (room === undefined || memory === undefined) {
    // More classes than cells are refused for that reason.
    if (usual <= free || asked.rank > tensor.cells) return {}
    const remedy =
      least <= SAFE * free
        ? `set --memory, for example --memory ${sizeText(SAFE * free).replace(' ', '')}`
        : 'use a machine with more memory'
    throw new OptionError(
      `${memoryText(tensor, asked.rank, usual)}, and ${sizeText(free)} are free: ${remedy}, or use fewer classes`,
    )
  }
  if (least <= room) return { memory: room }
  const labels = tensor.shape.reduce((sum, size) => sum + size, 0)
  // The data takes as much however much there is.
  const needed = bytesOf(memory) - room + least
  throw new OptionError(
    `--memory must be at least ${sizeText(Math.ceil(needed / 1e8) * 1e8)} for ${asked.rank} classes of ${labels} categories (got ${memory}): raise it, or use fewer classes`,
  )
}
