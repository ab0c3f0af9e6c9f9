import { DataError, OptionError, type Place, show } from '../errors.ts'
import { declaredMode, Mode, type ModeOptions } from './mode.ts'

/** A value as a finite nonnegative number, or an error that says where it was. */
export const checkValue = (value: unknown, where: string, place: Place): number => {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number') throw new DataError(`${where}: a value must be a number (got ${show(value)})`, place)
  if (Number.isNaN(number)) throw new DataError(`${where}: a value must be a number (got NaN)`, place)
  if (number < 0) throw new DataError(`${where}: a value must not be negative (got ${number})`, place)
  if (number === Number.POSITIVE_INFINITY) throw new DataError(`${where}: a value must be finite (got Infinity)`, place)
  return number
}

/** The modes of data that comes as numbers: named as asked, or mode1, mode2, …; labels where they are given. */
export const modesOfShape = (
  shape: readonly number[],
  named: readonly (string | ModeOptions)[] | undefined,
): Mode[] => {
  if (named !== undefined && named.length !== shape.length) {
    throw new OptionError('modes', `must name all ${shape.length} modes`, named.length)
  }
  const modes = shape.map((size, n) => {
    const given = named?.[n] ?? `mode${n + 1}`
    const options: ModeOptions = typeof given === 'string' ? { name: given } : given
    const { labels } = options
    if (labels !== undefined && labels.length !== size) {
      throw new OptionError(`mode ${show(options.name)} has ${size} labels in the data but ${labels.length} were given`)
    }
    return labels === undefined ? new Mode(options.name, size, options.ordered) : declaredMode({ ...options, labels })
  })
  checkNames(modes)
  return modes
}

export const checkNames = (modes: readonly { readonly name: string }[]): void => {
  if (modes.length === 0) throw new OptionError('there must be at least one mode')
  const seen = new Set<string>()
  for (const { name } of modes) {
    if (seen.has(name)) throw new OptionError(`two modes have the name ${show(name)}`)
    seen.add(name)
  }
}
