import { NUMBER } from '../../../table/values/labels.ts'
import { missingNumbers } from '../../../table/view/reading.ts'
import { onEach, type Statement } from '../connection.ts'
import {
  type CellsPlan,
  type ColumnKind,
  type Dialect,
  type ImputePlan,
  type KeyedMode,
  type SamplePlan,
  type ScanPlan,
  type ScorePlan,
  TINY,
} from '../dialect.ts'
import { offsetsOf } from '../factors.ts'
import { sentName } from './connection.ts'
import { identifier, literal } from './text.ts'

/** What statements mention of the run and the cluster. */
export interface ClusterContext {
  /** What the names of this run's tables begin with. */
  readonly run: string
  /** Where working tables are: the database of the connection. */
  readonly database: string
  /** Undefined where there is one server, and all tables are its own. */
  readonly cluster: { readonly name: string; readonly shards: number } | undefined
  /** For tables that are only a view of every shard's part, as SQL: what the part is called there. */
  readonly parts: ReadonlyMap<string, string>
  /** The columns of the user's tables, as SQL: servers of 2018 cannot replace some of all. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** The table that is to be made, where one is. */
  readonly target: { readonly database: string; readonly table: string } | undefined
}

/**
 * Cells that are worked on at a time: with the usual 65 536 the columns of 32 classes fall out of the processor's cache, and a pass takes
 * twice as long.
 */
const BLOCK = 8192

/** SQL of a row for every one of a table or query, with columns kept and others made. */
const step = (from: string, kept: readonly string[], made: readonly string[]): string =>
  `SELECT ${[...kept, ...made].join(', ')} FROM ${from.startsWith('SELECT ') ? `(${from})` : from}`

/** Terms with an operator between them, as a tree that is not deep: parsers have limits. */
const balanced = (terms: readonly string[], operator: string): string => {
  if (terms.length < 3) return terms.join(` ${operator} `)
  const half = terms.length >> 1
  return `(${balanced(terms.slice(0, half), operator)}) ${operator} (${balanced(terms.slice(half), operator)})`
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/**
 * The text of statements for ClickHouse, from 18.16 on. Cells are rows of `c`, an array with the place of the label of each mode, and `v`. One table
 * holds the factors of all places and is looked up by `joinGet`: cells meet it without a join. Sums by label are sums over
 * `arrayJoin(c)`.
 */
export const clickhouseDialect = ({
  run,
  database,
  cluster,
  parts,
  columns: columnsOf,
  target,
}: ClusterContext): Dialect => {
  const sent = (name: string): string => sentName(run, name)
  /** One server has no parts to be put together. */
  const partOf = (from: string): string => parts.get(from) ?? from
  const working = (name: string): string => `${identifier(database)}.${identifier(name)}`

  /** SQL of a row's places, as an array. */
  const placesOf = (modes: readonly KeyedMode[], offsets: readonly number[]): string => {
    const places = modes.map(({ key, dictionary, missing, unseen }, n) => {
      const found = `joinGet(${literal(sent(dictionary))}, 'code', assumeNotNull(${key}))`
      const known = unseen === 0 ? found : `if(${found} = 0, ${unseen}, ${found})`
      return `toUInt32(if(isNull(${key}), ${missing}, ${known}) + ${offsets[n]})`
    })
    return `[${places.join(', ')}]`
  }

  const create = (table: string): string =>
    `CREATE TABLE ${table} (c Array(UInt32), v Float64) ENGINE = MergeTree ORDER BY tuple()`

  /** Where each shard of a cluster has its own counts, before cells are dealt out. */
  const shareOf = (table: string): string => table.replace(/`$/, '_share`')

  /** SQL of the logarithms of all classes of all models for a row with the given places. */
  const logarithms = (places: string): string =>
    `arrayReduce('sumForEach', arrayMap(polyad_x -> joinGet(${literal(sent('f'))}, 'f', polyad_x), ${places}))`

  /**
   * SQL of one row per cell: `c`, `v`, and for each model its classes' v·w/p (`q`, from `q0` on through all models) and ln p (`g`).
   * Every step is a SELECT of its own: names within one are written out where they are used, and the text of the last would be the
   * square of that of the first.
   */
  const perCell = ({ table, shape, ranks, logarithms: logs }: ScanPlan): string => {
    const models = ranks.map((rank, m) => ({ m, rank, from: ranks.slice(0, m).reduce((sum, each) => sum + each, 0) }))
    const classes = models.flatMap(({ m, rank, from }) => times(rank, k => ({ m, k: from + k })))
    const each = (name: string) => models.map(({ m }) => `${name}${m}`)
    const weights = classes.map(({ k }) => `w${k}`)
    const found = logs
      ? step(table, ['c', 'v'], [`${logarithms('c')} AS l`])
      : step(
          table,
          ['c', 'v'],
          shape.map((_, n) => `joinGet(${literal(sent('f'))}, 'f', c[${n + 1}]) AS a${n}`),
        )
    const largest = models.map(
      ({ m, rank, from }) => `arrayReduce('max', arraySlice(l, ${from + 1}, ${rank})) AS m${m}`,
    )
    const weighed = logs
      ? step(
          step(found, ['c', 'v', 'l'], largest),
          ['c', 'v', ...each('m')],
          classes.map(({ m, k }) => `exp(l[${k + 1}] - if(isInfinite(m${m}), 0, m${m})) AS w${k}`),
        )
      : step(
          found,
          ['c', 'v'],
          classes.map(
            ({ k }) =>
              `${balanced(
                times(shape.length, n => `a${n}[${k + 1}]`),
                '*',
              )} AS w${k}`,
          ),
        )
    const summed = step(
      weighed,
      ['c', 'v', ...weights, ...(logs ? each('m') : [])],
      models.map(({ m, rank, from }) => `${balanced(weights.slice(from, from + rank), '+')} AS p${m}`),
    )
    const certain = step(
      summed,
      ['c', 'v', ...weights, ...each('p')],
      models.map(({ m }) =>
        logs ? `m${m} + log(p${m}) AS g${m}` : `if(p${m} < ${TINY}, -1 / 0, log(p${m})) AS g${m}`,
      ),
    )
    const ratios = step(
      certain,
      ['c', 'v', ...weights, ...each('g')],
      models.map(({ m }) => `if(isInfinite(g${m}), 0, v / p${m}) AS r${m}`),
    )
    return step(
      ratios,
      ['c', 'v', ...each('g')],
      classes.map(({ m, k }) => `w${k} * r${m} AS q${k}`),
    )
  }

  const scan = (plan: ScanPlan): Statement => {
    const models = plan.ranks.length
    const width = plan.ranks.reduce((sum, rank) => sum + rank, 0)
    const sums = [...times(width, k => `sum(q${k})`), ...times(models, m => `sum(v * g${m})`), 'toFloat64(count())']
    return onEach(
      `SELECT toInt32(arrayJoin(c)) AS place, ${sums.join(', ')} FROM (${perCell(plan)}) GROUP BY place SETTINGS max_block_size = ${BLOCK}`,
    )
  }

  const measure = (plan: ScanPlan): Statement => {
    const [rank] = plan.ranks
    const masses = times(rank, k => `q${k}`)
    const cells = step(perCell(plan), ['v', ...masses, 'g0'], [`[${masses.join(', ')}] AS q`])
    const assigned = step(
      cells,
      ['v', 'g0', ...masses],
      [`if(isInfinite(g0), 0, indexOf(q, arrayReduce('max', q))) - 1 AS a`],
    )
    const sums = [...masses.map(q => `sum(${q})`), 'sum(v * g0)', 'sum(v * v * exp(-g0))']
    return onEach(`SELECT toInt32(a) AS class, ${sums.join(', ')} FROM (${assigned}) GROUP BY class`)
  }

  const information = (plan: ScanPlan): Statement => {
    const [rank] = plan.ranks
    const masses = times(rank, k => `q${k}`)
    // A label's place is above that of its mode's code 0; −1 is what every cell has.
    const labels = `arrayFilter(x -> NOT has([${plan.offsets.join(', ')}], x), c)`
    const places = `arrayPushFront(arrayMap(x -> toInt64(x), ${labels}), toInt64(-1))`
    const cells = step(perCell(plan), ['v', ...masses], [`if(isInfinite(g0), [toInt64(-2)], ${places}) AS at`])
    const first = step(cells, ['at', 'v', ...masses], ['arrayJoin(at) AS a'])
    const second = step(first, ['a', 'v', ...masses], ['arrayJoin(at) AS b'])
    const sums = times(rank, k =>
      times(k + 1, l => (k === 0 ? 'sum(if(a = -2, v, q0 * q0 / v))' : `sum(q${k} * q${l} / v)`)),
    ).flat()
    return onEach(`SELECT toInt32(a), toInt32(b), ${sums.join(', ')} FROM (${second}) WHERE b <= a GROUP BY a, b`)
  }

  /**
   * Names within a statement over a user's rows, of which no column is called so. A row that is impossible has the shares for its
   * posterior: they are the factors of the first mode where it is missing.
   */
  const scores = (modes: readonly KeyedMode[], offsets: readonly number[]): string => {
    const name = (what: string) => `polyad_run_${what}`
    return [
      `${placesOf(modes, offsets)} AS ${name('c')}`,
      `${logarithms(name('c'))} AS ${name('l')}`,
      `arrayReduce('max', ${name('l')}) AS ${name('m')}`,
      `if(isInfinite(${name('m')}), joinGet(${literal(sent('f'))}, 'f', toUInt32(0)), ${name('l')}) AS ${name('o')}`,
      `arrayReduce('max', ${name('o')}) AS ${name('b')}`,
      `arraySum(arrayMap(polyad_x -> exp(polyad_x - ${name('b')}), ${name('o')})) AS ${name('p')}`,
      `indexOf(${name('o')}, ${name('b')}) AS ${name('k')}`,
      `if(isInfinite(${name('m')}), ${name('m')}, ${name('b')} + log(${name('p')})) AS ${name('g')}`,
    ].join(', ')
  }

  const posterior = (k: number): string => `exp(polyad_run_o[${k + 1}] - polyad_run_b) / polyad_run_p`

  /**
   * Statements that make a table of the rows of a query. Where the rows are in parts, so is it: every shard has its own rows in a table
   * of its own, and one over all of them has the name that was asked for.
   */
  const fill = (into: string, from: string | undefined, select: string): Statement[] => {
    const made = (table: string) => `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS ${select}`
    if (cluster === undefined || from === undefined || !parts.has(from) || target === undefined) return [made(into)]
    const [schema, table] = [identifier(target.database), identifier(`${target.table}_shard`)]
    const over = `Distributed(${literal(cluster.name)}, ${schema}, ${table}, rand())`
    return [onEach(made(`${schema}.${table}`), `CREATE TABLE ${into} AS ${schema}.${table} ENGINE = ${over}`)]
  }

  return {
    name: 'ClickHouse',
    identifier,
    literal,

    describe: from => `DESCRIBE TABLE ${from}`,
    kindOf(type): ColumnKind {
      const bare = ['SimpleAggregateFunction\\(\\w+, ', 'LowCardinality\\(', 'Nullable\\('].reduce(
        (inner, outer) => inner.replace(new RegExp(`^${outer}(.*)\\)$`), '$1'),
        type,
      )
      if (/^(String|FixedString|Enum|UUID|IPv)/.test(bare)) return 'text'
      if (/^U?Int\d+$/.test(bare)) return 'whole'
      if (/^(Float|BFloat|Decimal)/.test(bare)) return 'number'
      if (bare === 'Bool') return 'boolean'
      return /^Date/.test(bare) ? 'date' : 'other'
    },
    text(column, type, missing) {
      const fixed = /FixedString\(/.test(type)
      const text = fixed ? `replaceRegexpOne(toString(${column}), '\\\\0+$', '')` : `toString(${column})`
      // A text of a column with LowCardinality has it too, and then `joinGet` looks for such texts.
      const plain = /Nullable\(/.test(type) ? 'Nullable(String)' : 'String'
      const shown = /LowCardinality\(/.test(type) ? `CAST(${text} AS ${plain})` : text
      const numbers = missingNumbers(missing)
      const conditions = [
        ...(missing.length === 0 ? [] : [`has([${missing.map(literal).join(', ')}], ${shown})`]),
        // 8 and 8.0 are one label, so both are what a code of 8 means.
        ...(numbers.length === 0
          ? []
          : [
              `(match(${shown}, ${literal(NUMBER)}) AND has([${numbers.map(x => `toFloat64('${x}')`).join(', ')}], toFloat64OrZero(${shown})))`,
            ]),
        ...(/Float/.test(type) ? [`isNaN(${column})`] : []),
      ]
      return conditions.length === 0 ? shown : `if(${conditions.join(' OR ')}, NULL, ${shown})`
    },
    number: text => `if(isNaN(toFloat64OrNull(${text})), NULL, toFloat64OrNull(${text}))`,
    labels: (from, key, weight) =>
      `SELECT toString(assumeNotNull(${key})) AS label, toFloat64(${weight === undefined ? 'count()' : `sum(${weight})`}) FROM ${from} WHERE isNotNull(${key}) GROUP BY label`,
    check(from, keys, weight) {
      const wrong = weight === undefined ? '0' : `isNull(${weight}) OR NOT (${weight} >= 0) OR isInfinite(${weight})`
      const empty = keys.map(key => `isNull(${key})`).join(' AND ')
      return `SELECT toFloat64(count()), toFloat64(countIf(${wrong})), toFloat64(countIf(${empty})) FROM ${from}`
    },

    createCells({ table, from, modes, shape, weight }: CellsPlan) {
      const offsets = offsetsOf(shape)
      const rows = `SELECT ${placesOf(modes, offsets)} AS c, ${weight ?? 'toFloat64(1)'} AS y FROM ${partOf(from)}`
      const nothing = offsets.reduce((sum, offset) => sum + offset, 0)
      const counted = (into: string) =>
        onEach(
          create(into),
          `INSERT INTO ${into} SELECT c, sum(assumeNotNull(y)) AS v FROM (${rows}) WHERE arraySum(c) > ${nothing} GROUP BY c HAVING v > 0`,
        )
      if (cluster === undefined) return [counted(table)]
      // Every shard counts its rows; then each takes from all of them the cells that fall to it by their hash.
      const share = shareOf(table)
      const within = share.slice(identifier(database).length + 1)
      const shares = `cluster(${literal(cluster.name)}, ${identifier(database)}, ${within})`
      const own = (shard: number) =>
        `INSERT INTO ${table} SELECT c, sum(v) FROM ${shares} WHERE cityHash64(c) % ${cluster.shards} = ${shard} GROUP BY c`
      return [
        counted(share),
        { scope: 'each', texts: shard => [create(table), own(shard)] },
        onEach(`DROP TABLE IF EXISTS ${share}`),
      ]
    },
    keepCells(table, shape) {
      const places = `arrayMap((code, offset) -> toUInt32(code + offset), c, [${offsetsOf(shape).join(', ')}])`
      return [onEach(create(table), `INSERT INTO ${table} SELECT ${places} AS c, v FROM ${identifier(sent('cells'))}`)]
    },
    constants: table => ({
      scope: 'added',
      texts: () => [`SELECT toFloat64(count()), sum(v), sum(v * log(v)), sum(lgamma(v + 1)) FROM ${table}`],
    }),
    working,
    drop: table => [
      onEach(
        ...(cluster === undefined ? [table] : [table, shareOf(table)]).map(each => `DROP TABLE IF EXISTS ${each}`),
      ),
    ],
    leftovers: prefix =>
      onEach(
        `SELECT concat('\`', database, '\`.\`', name, '\`') FROM system.tables WHERE database = ${literal(database)} AND startsWith(name, ${literal(prefix)})`,
      ),

    mostTables: 24,
    // More columns than these are slower in one scan than in two, unless the statement itself is what costs.
    mostClasses: cells => (cells < 100_000 ? 256 : 16),
    scan,
    measure,
    information,

    score({ into, from, modes, shape, classes, columns, posteriors }: ScorePlan) {
      const added = [
        `[${classes.join(', ')}][polyad_run_k] AS ${identifier(columns.class)}`,
        `1 / polyad_run_p AS ${identifier(columns.probability)}`,
        `polyad_run_g AS ${identifier(columns.logLikelihood)}`,
        ...posteriors.map((name, k) => `${posterior(k)} AS ${identifier(name)}`),
      ]
      const select = `WITH ${scores(modes, offsetsOf(shape))} SELECT *, ${added.join(', ')} FROM ${partOf(from)}`
      return fill(into, from, select)
    },
    summary({ from, modes, shape }: ScorePlan, weight) {
      const y = weight ?? '1'
      const unseen = modes.map(
        ({ key, dictionary }) =>
          `toFloat64(countIf(isNotNull(${key}) AND joinGet(${literal(sent(dictionary))}, 'code', assumeNotNull(${key})) = 0))`,
      )
      const sums = [
        'toFloat64(count())',
        `toFloat64(sum(${y}))`,
        `sum(${y} / polyad_run_p)`,
        `sum(if(isInfinite(polyad_run_g), 0, ${y} * polyad_run_g))`,
        'toFloat64(countIf(isInfinite(polyad_run_g)))',
        ...unseen,
      ]
      return onEach(
        `WITH ${scores(modes, offsetsOf(shape))} ` +
          `SELECT toInt32(polyad_run_k - 1) AS polyad_run_class, ${sums.join(', ')} FROM ${partOf(from)} GROUP BY polyad_run_class`,
      )
    },
    impute({ into, from, modes, columns, absent, rank, shape }: ImputePlan) {
      const psi = `[${times(rank, posterior).join(', ')}] AS polyad_run_q`
      const names = columns.map(identifier)
      const filled = columns.map((_, n) => {
        const list = (what: string) =>
          `(SELECT groupArray(${what}) FROM (SELECT ${what} FROM ${identifier(sent(`g${n}`))} ORDER BY code))`
        const odds = `arrayMap(polyad_g -> arraySum((polyad_x, polyad_y) -> polyad_x * polyad_y, polyad_g, polyad_run_q), ${list('g')})`
        const likeliest = `${list('label')}[indexOf(${odds}, arrayReduce('max', ${odds}))]`
        const own = absent[n] ? likeliest : `if(isNull(${modes[n].key}), ${likeliest}, toString(${names[n]}))`
        return `${own} AS polyad_run_f${n}`
      })
      const kept = (columnsOf.get(from) ?? []).filter(name => !names.includes(name))
      const rows = `WITH ${scores(modes, offsetsOf(shape))}, ${psi} SELECT ${[...kept, ...filled].join(', ')} FROM ${partOf(from)}`
      // A name that is also that of a column can be given only where the column is no longer seen.
      const all = [...(columnsOf.get(from) ?? []), ...names.filter((_, n) => absent[n])].map(name =>
        names.includes(name) ? `polyad_run_f${names.indexOf(name)} AS ${name}` : name,
      )
      // For every row the factors of a mode are multiplied out: blocks of rows must be small where they are large.
      const block = Math.max(1, Math.min(65_536, Math.floor(4e6 / (Math.max(...shape) * rank))))
      return fill(into, from, `SELECT ${all.join(', ')} FROM (${rows}) SETTINGS max_block_size = ${block}`)
    },
    sample({ into, rows, seed, columns, class: name, classes }: SamplePlan) {
      const uniform = (purpose: number) => `intDiv(sipHash64(number, ${seed}, ${purpose}), 2048) / 9007199254740992`
      const list = (what: string, n: number) =>
        `(SELECT groupArray(x) FROM (SELECT class, groupArray(${what}) AS x FROM (SELECT class, ${what} FROM ${identifier(sent(`d${n}`))} ORDER BY class, low) GROUP BY class ORDER BY class))`
      const bounds = (what: string) =>
        `(SELECT groupArray(${what}) FROM (SELECT class, high FROM ${identifier(sent('d'))} ORDER BY class))`
      // Classes and labels of size 0 have no row: so the position of a class is looked up.
      const drawn = `${bounds('class')}[arrayFirstIndex(x -> x > ${uniform(0)}, ${bounds('high')})] + 1 AS polyad_run_k`
      const labels = columns.map(
        (column, n) =>
          `${list('label', n)}[polyad_run_k][arrayFirstIndex(x -> x > ${uniform(n + 1)}, ${list('high', n)}[polyad_run_k])] AS ${identifier(column)}`,
      )
      const first = name === undefined ? [] : [`[${classes.join(', ')}][polyad_run_k] AS ${identifier(name)}`]
      return fill(into, undefined, `WITH ${drawn} SELECT ${[...first, ...labels].join(', ')} FROM numbers(${rows})`)
    },
  }
}
