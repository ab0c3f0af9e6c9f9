import { type Label, Mode } from './mode.ts'
import { compareTexts, type PackedTexts, sortedTexts, startOf } from './sort-texts.ts'

/**
 * Texts as the labels of a mode, in the order of a mode and in few bytes: for so many that strings would take most of the memory. Strings
 * are made when they are asked for.
 * @example
 * const texts = { bytes: new TextEncoder().encode('noyes'), ends: Float64Array.of(2, 5) }
 * packLabels(texts).labels.label(1) // 'yes'
 */
export class PackedLabels {
  readonly length: number
  /** The texts, and for each label which of them it is: they stay where they are, since to put millions in order takes longer than to sort them. */
  readonly texts: PackedTexts
  readonly order: Uint32Array
  #all: readonly string[] | undefined

  /** @param order different texts in the order of their code units */
  constructor(texts: PackedTexts, order: Uint32Array) {
    this.length = order.length
    this.texts = texts
    this.order = order
  }

  label(index: number): string {
    const { bytes, ends } = this.texts
    const text = this.order[index]
    return decoder.decode(bytes.subarray(startOf(ends, text), ends[text]))
  }

  /** The index of a label, or undefined for one that is not among them. */
  indexOf(label: Label): number | undefined {
    const bytes = encoder.encode(String(label))
    const asked = { bytes, ends: Float64Array.of(bytes.length) }
    let [low, high] = [0, this.length - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = compareTexts(this.texts, this.order[middle], asked, 0)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  /** The bytes of a JSON list of them, in pieces, each of which is written over by the next: no text becomes a string. */
  *json(): Generator<Uint8Array> {
    const { bytes, ends } = this.texts
    let piece = new Uint8Array(PIECE)
    let size = 0
    for (let index = 0; index < this.length; index++) {
      const text = this.order[index]
      const from = startOf(ends, text)
      const most = LONGEST * (ends[text] - from) + 4
      if (size + most > piece.length) {
        yield piece.subarray(0, size)
        size = 0
        if (most > piece.length) piece = new Uint8Array(most)
      }
      piece[size++] = index === 0 ? OPEN : COMMA
      piece[size++] = QUOTE
      for (let at = from; at < ends[text]; at++) {
        const byte = bytes[at]
        if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) piece[size++] = byte
        else for (const each of escaped(byte)) piece[size++] = each
      }
      piece[size++] = QUOTE
    }
    piece[size++] = CLOSE
    yield piece.subarray(0, size)
  }

  /** All of them as strings, which are kept from then on. */
  all(): readonly string[] {
    this.#all ??= Object.freeze(Array.from({ length: this.length }, (_, index) => this.label(index)))
    return this.#all
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN, CLOSE] = [0x5b, 0x5d]
const SPACE = 0x20
/** Bytes of JSON that are made at once, and those that one byte may become. */
const PIECE = 2 ** 20
const LONGEST = 6

const encoder = new TextEncoder()
const escaped = (byte: number): Uint8Array => encoder.encode(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
// A text may begin with what elsewhere marks the order of bytes.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A mode whose labels are packed: a page that has none does not load it. */
class PackedMode extends Mode {
  /** The labels in few bytes: `labels` makes strings of all of them when it is first read. */
  readonly #packed: PackedLabels

  constructor(name: string, labels: PackedLabels, ordered = false) {
    super(name, labels.length, ordered)
    this.#packed = labels
    // Whoever copies a mode, or writes it as JSON, finds its labels.
    Object.defineProperty(this, 'labels', { get: () => labels.all(), enumerable: true })
  }

  get packed(): PackedLabels {
    return this.#packed
  }

  override label(index: number): Label {
    // The mode of as many numbers refuses what is no index.
    return Number.isInteger(index) && index >= 0 && index < this.size ? this.#packed.label(index) : super.label(index)
  }

  override indexOf(label: Label): number | undefined {
    return this.#packed.indexOf(label)
  }
}

/**
 * A mode with labels that may be packed.
 * @example
 * modeWithLabels('vote', ['no', 'yes']).size // 2
 */
export const modeWithLabels = (name: string, labels: LabelList, ordered?: boolean): Mode =>
  'all' in labels ? new PackedMode(name, labels, ordered) : new Mode(name, labels, ordered)

/** More labels than this are packed: strings of them would take more memory than all else that is known of a mode. */
export const MANY_LABELS = 50_000

/** Half of a character, which UTF-8 does not have. */
const LONE = /\p{Surrogate}/u

/**
 * Very many texts that are in the order of a mode, packed; other labels as they are.
 * @example
 * packedIfMany(['no', 'yes']).length // 2
 */
export const packedIfMany = (labels: readonly Label[]): LabelList => {
  if (labels.length <= MANY_LABELS) return labels
  const ends = new Float64Array(labels.length)
  let bytes = new Uint8Array(16 * labels.length)
  let size = 0
  let before: string | undefined
  for (const [index, label] of labels.entries()) {
    if (typeof label !== 'string' || (before !== undefined && before >= label) || LONE.test(label)) return labels
    // A code unit takes three bytes at most.
    if (size + 3 * label.length > bytes.length) {
      const larger = new Uint8Array(2 * (size + 3 * label.length))
      larger.set(bytes)
      bytes = larger
    }
    size += encoder.encodeInto(label, bytes.subarray(size)).written
    ends[index] = size
    before = label
  }
  return new PackedLabels({ bytes: bytes.slice(0, size), ends }, Uint32Array.from(ends.keys()))
}

/** The labels of a mode: an array, or packed. */
export type LabelList = readonly Label[] | PackedLabels

/**
 * The labels as an array.
 * @example
 * labelArray(['no', 'yes'])[1] // 'yes'
 */
export const labelArray = (labels: LabelList): readonly Label[] => ('all' in labels ? labels.all() : labels)

/**
 * Sorts distinct texts, and returns the position of each.
 * @example
 * const texts = { bytes: new TextEncoder().encode('yesno'), ends: Float64Array.of(3, 5) }
 * packLabels(texts).places // Int32Array.of(1, 0)
 */
export const packLabels = (texts: PackedTexts): { readonly labels: PackedLabels; readonly places: Int32Array } => {
  const order = sortedTexts(texts)
  const places = new Int32Array(order.length)
  for (let place = 0; place < order.length; place++) places[order[place]] = place
  return { labels: new PackedLabels(texts, order), places }
}
