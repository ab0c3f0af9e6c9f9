import { type Counts, type FitOptions, OptionError } from '@polyad/core'
import { memoryOfFit } from '@polyad/core/engine'
import { bytesOf, sizeText } from '../../source/open-data.ts'
import type { Source } from './open-source.ts'

type Asked = Pick<FitOptions, 'rank' | 'starts' | 'algorithm'>

/** How many bytes a fit takes besides the cells, if it may take what it likes. */
export const reserveFor =
  (asked: Asked) =>
  (data: Counts): number =>
    memoryOfFit(data, asked).usual

/** What is left of --memory for the fit, as one of its options; refuses a fit that cannot do with so little. */
export const fitMemory = (
  { room, tensor }: Source,
  memory: string | undefined,
  asked: Asked & Pick<FitOptions, 'init'>,
): Pick<FitOptions, 'memory'> => {
  if (room === undefined || memory === undefined) return {}
  const { least } = memoryOfFit(tensor, asked)
  if (least <= room) return { memory: room }
  const labels = tensor.shape.reduce((sum, size) => sum + size, 0)
  // The data takes as much however much there is.
  const needed = bytesOf(memory) - room + least
  throw new OptionError(
    `--memory must be at least ${sizeText(Math.ceil(needed / 1e8) * 1e8)} for ${asked.rank} classes of ${labels} categories (got ${memory}): raise it, or use fewer classes`,
  )
}
