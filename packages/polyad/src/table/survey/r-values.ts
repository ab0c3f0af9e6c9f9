import { DataError } from '@polyad/core'
import { ByteReader } from './byte-reader.ts'

/** A value of R, as far as tables are made of it. */
export type RValue =
  | {
      readonly kind: 'numbers'
      readonly of: 'logical' | 'integer' | 'double'
      readonly values: RNumbers
      attributes: Attributes
    }
  | { readonly kind: 'texts'; readonly values: readonly RText[]; attributes: Attributes }
  | { readonly kind: 'list'; readonly values: readonly RValue[]; attributes: Attributes }
  | { readonly kind: 'pairs'; readonly values: readonly RPair[]; attributes: Attributes }
  | { readonly kind: 'symbol'; readonly text: RText }
  /** Anything else: what it is, for a person. */
  | { readonly kind: 'other'; readonly what: string; attributes: Attributes }

export type RNumbers = Int32Array | Float64Array
export type Attributes = readonly RPair[]

export interface RPair {
  readonly tag: RText | undefined
  readonly value: RValue
}

/** A text as it is written, and what the file says of its encoding; undefined for NA. */
export type RText = { readonly bytes: Uint8Array; readonly encoding: 'utf-8' | 'windows-1252' | undefined } | undefined

/** Whole numbers and logical values that are missing. */
export const NA = -0x80000000

/** Values within values: more than this is no table. */
const DEEPEST = 100

/** A range may have so many numbers, whatever else is in the file. */
const LONGEST_RANGE = 1_000_000

const NOTHING: RValue = { kind: 'other', what: 'nothing', attributes: [] }

/** Kinds of values, as the file numbers them. */
const [SYMBOL, PAIRS, CLOSURE, ENVIRONMENT, PROMISE, CALL] = [1, 2, 3, 4, 5, 6]
const [CHARACTER, LOGICAL, INTEGER, DOUBLE, COMPLEX, TEXTS, DOTS] = [9, 10, 13, 14, 15, 16, 17]
const [LIST, EXPRESSION, POINTER, WEAK, RAW, OBJECT] = [19, 20, 22, 23, 24, 25]
const [ALTERNATIVE, PAIRS_WITH, CALL_WITH, REFERENCE] = [238, 239, 240, 255]
const [NAMESPACE, PACKAGE, PERSISTENT] = [249, 248, 247]
/** Environments, and values that stand for nothing. */
const CONSTANTS = [241, 242, 250, 251, 252, 253, 254]

/** Reads values of R's serialization in its binary form, with the larger byte first. */
export class RReader {
  readonly #reader: ByteReader
  readonly #known: RValue[] = []
  #depth = 0

  /** @param at where the values begin: after `X` and a line break */
  constructor(name: string, bytes: Uint8Array, at: number) {
    this.#reader = new ByteReader(name, bytes, false)
    this.#reader.at = at
    const version = this.#reader.int32('the version')
    this.#reader.skip(8, 'the versions of R')
    if (version !== 2 && version !== 3)
      throw this.#reader.damaged(`version ${version} of R's format is not known: there are 2 and 3`)
    if (version === 3) this.#reader.skip(this.#reader.int32('the length of the encoding'), 'the encoding')
  }

  value(): RValue {
    if (++this.#depth > DEEPEST) throw this.#reader.damaged(`values are nested more than ${DEEPEST} deep`)
    const value = this.#value(this.#reader.int32('the kind of a value'))
    this.#depth--
    return value
  }

  #value(flags: number): RValue {
    const type = flags & 0xff
    const [hasAttributes, hasTag] = [(flags & 0x200) !== 0, (flags & 0x400) !== 0]
    switch (type) {
      case SYMBOL:
        return this.#keep({ kind: 'symbol', text: this.#text(this.#reader.int32('a name')) })
      case REFERENCE:
        return this.#reference(flags >>> 8)
      case PAIRS:
      case CALL:
      case CLOSURE:
      case PROMISE:
      case DOTS:
        return this.#pairs(type, hasAttributes, hasTag)
      case PAIRS_WITH:
      case CALL_WITH:
        return this.#pairs(type === PAIRS_WITH ? PAIRS : CALL, true, hasTag)
      case LOGICAL:
      case INTEGER:
        return this.#whole(type === LOGICAL ? 'logical' : 'integer', hasAttributes)
      case DOUBLE: {
        const values = this.#doubles(this.#length(8))
        return { kind: 'numbers', of: 'double', values, attributes: this.#attributes(hasAttributes) }
      }
      case TEXTS: {
        const values = Array.from({ length: this.#length(4) }, () => this.#text(this.#reader.int32('a text')))
        return { kind: 'texts', values, attributes: this.#attributes(hasAttributes) }
      }
      case LIST:
      case EXPRESSION: {
        const values = Array.from({ length: this.#length(4) }, () => this.value())
        return { kind: 'list', values, attributes: this.#attributes(hasAttributes) }
      }
      case CHARACTER:
        return { kind: 'texts', values: [this.#textOf(flags)], attributes: [] }
      case COMPLEX:
        this.#reader.skip(16 * this.#length(16), 'complex numbers')
        return { kind: 'other', what: 'complex numbers', attributes: this.#attributes(hasAttributes) }
      case RAW:
        this.#reader.skip(this.#length(1), 'raw bytes')
        return { kind: 'other', what: 'raw bytes', attributes: this.#attributes(hasAttributes) }
      case OBJECT:
        return { kind: 'other', what: 'an S4 object', attributes: this.#attributes(hasAttributes) }
      case ALTERNATIVE:
        return this.#alternative()
      case ENVIRONMENT:
        return this.#environment()
      case POINTER:
      case WEAK:
        return this.#pointer(type, hasAttributes)
      case NAMESPACE:
      case PACKAGE:
      case PERSISTENT:
        this.#reader.skip(4, 'a name')
        for (let left = this.#length(4); left > 0; left--) this.#text(this.#reader.int32('a name'))
        return this.#keep(NOTHING)
      default:
        if (CONSTANTS.includes(type)) return NOTHING
        throw new DataError(
          `${this.#reader.name} holds functions or other values of R that are no table (kind ${type} at byte ${this.#reader.at - 4}): save a data frame, as in saveRDS(as.data.frame(x), "x.rds")`,
        )
    }
  }

  #keep(value: RValue): RValue {
    this.#known.push(value)
    return value
  }

  #reference(packed: number): RValue {
    const index = packed === 0 ? this.#reader.int32('a reference') : packed
    const found = this.#known[index - 1]
    if (found === undefined) throw this.#reader.damaged(`there is no value ${index} to refer to`, this.#reader.at - 4)
    return found
  }

  /** A length, of things that take at least so many bytes each. */
  #length(each: number): number {
    const stated = this.#reader.int32('a length')
    if (stated !== -1) return this.#reader.count(stated, each, 'values')
    const [high, low] = [this.#reader.uint32('a length'), this.#reader.uint32('a length')]
    return this.#reader.count(high * 2 ** 32 + low, each, 'values')
  }

  #whole(of: 'logical' | 'integer', hasAttributes: boolean): RValue {
    const values = new Int32Array(this.#length(4))
    for (let i = 0; i < values.length; i++) values[i] = this.#reader.int32('a number')
    return { kind: 'numbers', of, values, attributes: this.#attributes(hasAttributes) }
  }

  #doubles(length: number): Float64Array {
    const values = new Float64Array(length)
    for (let i = 0; i < length; i++) values[i] = this.#reader.float64('a number')
    return values
  }

  #text(flags: number): RText {
    if ((flags & 0xff) !== CHARACTER) {
      // A name may be one that was there before.
      if ((flags & 0xff) === REFERENCE) {
        const known = this.#reference(flags >>> 8)
        return known.kind === 'symbol' ? known.text : undefined
      }
      throw this.#reader.damaged('a text is expected here', this.#reader.at - 4)
    }
    return this.#textOf(flags)
  }

  #textOf(flags: number): RText {
    const length = this.#reader.int32('the length of a text')
    if (length === -1) return undefined
    const bytes = this.#reader.take(length, 'a text')
    const levels = flags >>> 12
    return { bytes, encoding: levels & 0x48 ? 'utf-8' : levels & 4 ? 'windows-1252' : undefined }
  }

  /** Pairs one after the other; of a function its parts. */
  #pairs(first: number, firstHasAttributes: boolean, firstHasTag: boolean): RValue {
    const pairs: RPair[] = []
    let attributes: Attributes = []
    let [type, hasAttributes, hasTag] = [first, firstHasAttributes, firstHasTag]
    for (;;) {
      const own = this.#attributes(hasAttributes)
      if (pairs.length === 0) attributes = own
      const tag = hasTag ? this.value() : undefined
      pairs.push({ tag: tag?.kind === 'symbol' ? tag.text : undefined, value: this.value() })
      const next = this.#reader.int32('the kind of a value')
      type = next & 0xff
      if (type !== PAIRS && type !== PAIRS_WITH && type !== CALL) {
        this.#value(next)
        break
      }
      ;[hasAttributes, hasTag] = [(next & 0x200) !== 0 || type === PAIRS_WITH, (next & 0x400) !== 0]
    }
    if (first === PAIRS) return { kind: 'pairs', values: pairs, attributes }
    return { kind: 'other', what: first === CLOSURE ? 'a function' : 'an expression', attributes }
  }

  #attributes(present: boolean): Attributes {
    if (!present) return []
    const value = this.value()
    return value.kind === 'pairs' ? value.values : []
  }

  #environment(): RValue {
    this.#reader.skip(4, 'an environment')
    const kept = this.#keep({ kind: 'other', what: 'an environment', attributes: [] })
    for (let part = 0; part < 4; part++) this.value()
    return kept
  }

  #pointer(type: number, hasAttributes: boolean): RValue {
    const kept = this.#keep({ kind: 'other', what: 'a pointer', attributes: [] })
    if (type === POINTER) for (let part = 0; part < 2; part++) this.value()
    this.#attributes(hasAttributes)
    return kept
  }

  /** Values that R keeps in another form: ranges such as 1:10, and numbers or texts with notes on them. */
  #alternative(): RValue {
    const { at } = this.#reader
    const [info, state, attributes] = [this.value(), this.value(), this.value()]
    const own = attributes.kind === 'pairs' ? attributes.values : []
    const named = info.kind === 'pairs' ? info.values[0]?.value : undefined
    const name = named?.kind === 'symbol' && named.text !== undefined ? String.fromCharCode(...named.text.bytes) : ''
    const inner = state.kind === 'pairs' ? state.values[0]?.value : state.kind === 'list' ? state.values[0] : undefined
    if (/^compact_(int|real)seq$/.test(name) && state.kind === 'numbers')
      return this.#range(name, state.values, own, at)
    if (name === 'deferred_string' && inner?.kind === 'numbers')
      return { kind: 'texts', values: deferred(inner), attributes: own }
    if (name.startsWith('wrap_') && inner !== undefined && inner.kind !== 'symbol') return { ...inner, attributes: own }
    throw this.#reader.damaged(`values in the form ${JSON.stringify(name)} are not known`, at)
  }

  #range(name: string, [length, first, step]: RNumbers, attributes: Attributes, at: number): RValue {
    // The numbers of a range are not in the file, but those of other columns are.
    const most = Math.max(LONGEST_RANGE, this.#reader.bytes.length)
    if (!(Number.isInteger(length) && length >= 0 && length <= most))
      throw this.#reader.damaged('a range is longer than any column, or has no length', at)
    const whole = name === 'compact_intseq'
    const values = whole ? new Int32Array(length) : new Float64Array(length)
    for (let i = 0; i < length; i++) values[i] = first + i * step
    return { kind: 'numbers', of: whole ? 'integer' : 'double', values, attributes }
  }
}

/** Numbers that were to become texts. */
const deferred = ({ values, of }: Extract<RValue, { kind: 'numbers' }>): RText[] =>
  Array.from(values, value =>
    Number.isNaN(value) || (of !== 'double' && value === NA)
      ? undefined
      : { bytes: new TextEncoder().encode(`${Number(value.toPrecision(15))}`), encoding: 'utf-8' },
  )
