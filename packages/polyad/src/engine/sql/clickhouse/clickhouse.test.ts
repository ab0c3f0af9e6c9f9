import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../address.ts'
import { DatabaseFault } from '../connection.ts'
import { clickhouseFault } from './faults.ts'
import { decodeNative, encodeNative, type NativeColumn } from './native.ts'
import { placeOf } from './place.ts'
import { identifier, literal, readName } from './text.ts'

/** The bytes of a table, cut into pieces at every so manieth. */
async function* cut(columns: readonly NativeColumn[], rows: number, size: number) {
  const bytes = Buffer.concat([...encodeNative(columns, rows)])
  for (let from = 0; from < bytes.length; from += size) yield new Uint8Array(bytes.subarray(from, from + size))
}

describe('format Native', () => {
  it('comes back as it was sent, however it is cut on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 255 }), fc.double(), fc.string({ unit: 'binary', maxLength: 200 })),
        ),
        fc.integer({ min: 1, max: 50 }),
        async (rows, size) => {
          const columns = [
            { name: 'a', values: Int32Array.from(rows, ([a]) => a - 100) },
            { name: 'b', values: Float64Array.from(rows, ([, b]) => b) },
            { name: 'c', values: rows.map(([, , c]) => c) },
            { name: 'd', values: Uint8Array.from(rows, ([a]) => a) },
          ]
          const found: unknown[][] = [[], [], [], []]
          for await (const piece of decodeNative(cut(columns, rows.length, size)))
            for (const [i, values] of piece.entries()) found[i].push(...values)
          expect(found).toEqual(columns.map(({ values }) => [...values]))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('an answer that ends too early is an error, not a short table', async () => {
    const bytes = Buffer.concat([...encodeNative([{ name: 'a', values: Float64Array.of(1, 2, 3) }], 3)])
    const read = async () => {
      for await (const _ of decodeNative(
        (async function* () {
          yield new Uint8Array(bytes.subarray(0, -4))
        })(),
      ));
    }
    await expect(read()).rejects.toThrow('was cut off')
  })
})

describe('columns with LowCardinality', () => {
  const read = async (bytes: Uint8Array) => {
    const columns: unknown[][] = []
    for await (const piece of decodeNative(
      (async function* () {
        yield bytes
      })(),
    ))
      columns.push(...piece.map(column => [...column]))
    return columns
  }

  // As ClickHouse 26.7 wrote them.
  it.each([
    // SELECT toLowCardinality(toString(number % 2)) AS a, toUInt8(number) AS n FROM numbers(3)
    [
      'AgMBYRZMb3dDYXJkaW5hbGl0eShTdHJpbmcpAQAAAAAAAAAABgAAAAAAAAMAAAAAAAAAAAEwATEDAAAAAAAAAAECAQFuBVVJbnQ4AAEC',
      [
        ['0', '1', '0'],
        [0, 1, 2],
      ],
    ],
    // SELECT CAST(if(number % 2 = 0, NULL, toString(number)) AS LowCardinality(Nullable(String))) AS a FROM numbers(4)
    [
      'AQQBYSBMb3dDYXJkaW5hbGl0eShOdWxsYWJsZShTdHJpbmcpKQEAAAAAAAAAAAYAAAAAAAAEAAAAAAAAAAAAATEBMwQAAAAAAAAAAAIAAw==',
      [[null, '1', null, '3']],
    ],
  ])('are read', async (bytes, columns) => {
    expect(await read(Buffer.from(bytes, 'base64'))).toEqual(columns)
  })
})

describe('an answer that cannot be read', () => {
  const block = (...bytes: number[]) => Uint8Array.from(bytes)
  const columns = Buffer.concat([...encodeNative([{ name: 'a', values: Float64Array.of(1, 2, 3) }], 3)])

  /** The fault, and whether its source was ended: a connection whose answer is left unread is lost for the next statement. */
  const faultOf = async (bytes: Uint8Array) => {
    let ended = false
    const source = async function* () {
      try {
        for (;;) yield bytes
      } finally {
        ended = true
      }
    }
    const read = async () => {
      for await (const _ of decodeNative(source()));
    }
    const fault = (await read().catch(error => error)) as DatabaseFault
    return { fault, ended }
  }

  it.each([
    [
      'a type that is unknown',
      Buffer.from([1, 1, 1, 97, 7, ...Buffer.from('Dynamic')]),
      'cannot read columns of type Dynamic',
    ],
    [
      'more columns than there can be',
      block(255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
      "not in ClickHouse's format",
    ],
    ['rows without columns', block(0, 1), "not in ClickHouse's format"],
    ['a text for ever', block(1, 1, 255, 255, 255, 255, 255, 127), "not in ClickHouse's format"],
  ])('%s: says so, ends the answer, and is not tried again', async (_, bytes, words) => {
    const { fault, ended } = await faultOf(bytes)
    expect(fault).toBeInstanceOf(DatabaseFault)
    expect(fault.message).toContain(words)
    expect(fault.transient).toBe(false)
    expect(ended).toBe(true)
  })

  it('is tried again if it ends too early', async () => {
    const read = async () => {
      for await (const _ of decodeNative(
        (async function* () {
          yield new Uint8Array(columns.subarray(0, -4))
        })(),
      ));
    }
    await expect(read()).rejects.toMatchObject({ transient: true })
  })
})

describe('names and texts', () => {
  it('are read back whatever is in them, and hide no second statement', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        for (const sql of [identifier(text), literal(text)]) {
          expect(readName(`${sql}, rest`)).toEqual({ name: text, rest: ' rest' })
          expect(sql).not.toContain('\0')
        }
      }),
    )
    expect(readName('two, t, rand())')).toEqual({ name: 'two', rest: ' t, rand())' })
    expect(readName('currentDatabase(), t')).toBeUndefined()
  })
})

describe('addresses', () => {
  const of = (text: string, environment = {}) => placeOf(parseAddress(text), undefined, environment)

  it('name servers, user, database and table', () => {
    expect(of('clickhouse://h/d/t')).toMatchObject({
      servers: ['http://h:8123'],
      user: 'default',
      password: '',
      database: 'd',
      table: 't',
      scratch: 'd',
      timeout: 60,
    })
    expect(of('clickhouses://u:p%40%2F@a:1,b:2/d?timeout=5')).toMatchObject({
      servers: ['https://a:1', 'https://b:2'],
      user: 'u',
      password: 'p@/',
      table: undefined,
      timeout: 5,
    })
    expect(of('clickhouse://u@[::1]:9/d/a%2Fb', { CLICKHOUSE_PASSWORD: 's' })).toMatchObject({
      servers: ['http://[::1]:9'],
      password: 's',
      table: 'a/b',
    })
    expect(of('clickhouse://h/d/t', { CLICKHOUSE_USER: 'me' }).user).toBe('me')
  })

  it.each([
    ['clickhouse://h', 'the path must be /database/table'],
    ['clickhouse://h/d/t/x', 'the path must be /database/table'],
    ['clickhouse://h o/d/t', 'is not a host'],
    ['clickhouse://h:99999/d/t', 'is not a port'],
    ['clickhouse://h,h/d/t', 'named twice'],
    ['clickhouse://h/d/t?colour=red', 'there is no setting "colour"'],
    ['clickhouse://h/d/t?timeout=0', 'timeout must be'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => of(text)).toThrow(message)
  })

  it('keep the password to themselves', () => {
    expect(of('clickhouse://u:hidden@h/d/t').shown).not.toContain('hidden')
    expect(() => of('clickhouse://u:hidden@h')).toThrow(/^(?!.*hidden)/)
  })
})

describe('faults', () => {
  const faultOf = (message: string, secret = '') => clickhouseFault(new Error(message), 'here:1', secret)

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:1', true],
    ['Code: 241, e.displayText() = DB::Exception: Memory limit (for query) exceeded, e.what() = DB::Exception', true],
    ['Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space.', true],
    ['Code: 75, e.displayText() = DB::ErrnoException: Cannot write to file, errno: 28, strerror: No space left', true],
    ['Code: 394, e.displayText() = DB::Exception: Query was cancelled', true],
    ['Code: 210. DB::NetException: Connection refused (shard2:9000). (NETWORK_ERROR)', true],
    ['Code: 47, e.displayText() = DB::Exception: Unknown identifier: x', false],
    ['Code: 57, e.displayText() = DB::Exception: Table t already exists.', false],
    ['Code: 193, e.displayText() = DB::Exception: Wrong password for user u', false],
  ])('%s: tried again %s', (message, transient) => {
    const fault = faultOf(message)
    expect(fault.transient).toBe(transient)
    expect(fault.place).toBe('here:1')
    expect(fault.message).not.toMatch(/DB::|displayText/)
  })

  it('say what to do, on one line, without the password', () => {
    const fault = faultOf('Code: 243. DB::Exception: no room for hunter2\nstack\ntrace', 'hunter2')
    expect(fault.message).toBe('no room for … (code 243): the disk is full')
  })
})
