import { type NpyArray, readNpy, writeNpy } from './npy.ts'
import { type Inflate, readZip, writeZip } from './zip.ts'

/**
 * The arrays of a `.npz` archive by name, as `numpy.load` names them. A member that is not an array is returned as text. Pass
 * `inflate` to open archives with compression.
 *
 * @example
 * readNpz(readFileSync('counts.npz'), (bytes, size) => inflateRawSync(bytes, { maxOutputLength: size })).get('data')
 */
export const readNpz = (bytes: Uint8Array, inflate?: Inflate, name = 'the archive'): Map<string, NpyArray> => {
  const arrays = new Map<string, NpyArray>()
  for (const [member, content] of readZip(bytes, inflate)) {
    if (member.endsWith('.npy')) arrays.set(member.slice(0, -4), readNpy(content, `${name}, ${member}`))
    else arrays.set(member, { shape: [], data: [new TextDecoder().decode(content)] })
  }
  return arrays
}

/** The bytes of a `.npz` archive, without compression. The same arrays give the same bytes. */
export const writeNpz = (arrays: ReadonlyMap<string, NpyArray>): Uint8Array =>
  writeZip(new Map([...arrays].map(([name, array]) => [`${name}.npy`, writeNpy(array)])))
