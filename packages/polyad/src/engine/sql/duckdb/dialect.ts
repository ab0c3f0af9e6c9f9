import { identifier, literal } from '../../../duckdb/sql-text.ts'
import { codeBits, type Dialect, type KeyedMode, type ScanPlan } from '../dialect.ts'

/** SQL for DuckDB. Working tables are temporary: they end with the connection, and nothing is written into the user's database. */

const range = (count: number, first = 0): number[] => Array.from({ length: count }, (_, i) => first + i)

const list = (items: readonly (number | string)[]): string => items.join(', ')

const CODES = { 8: 'UTINYINT', 16: 'USMALLINT', 32: 'INTEGER' } as const

const IMPOSSIBLE = `'-Infinity'::DOUBLE`

/** What the engine's own columns are called beside those of a user. */
const OWN = 'polyad__'

/** The classes of every model in a scan, as numbers of columns. */
const classesOf = (ranks: readonly number[]): number[][] => {
  let first = 0
  return ranks.map(rank => {
    first += rank
    return range(rank, first - rank)
  })
}

/** Labels of a mode in a tile, and up to how many labels a mode is not cut. */
const TILE = 128
const UNCUT = 256

/** So many tiles are told apart. */
const MOST_TILES = 2 ** 40

/**
 * Cells in an order in which those that follow each other have few labels between them, and not always the same: factors and sums of these labels stay in
 * the processor's cache. Rows have columns c0, c1, … .
 */
const tiled = (rows: string, shape: readonly number[]): string => {
  let [key, tiles] = ['0::UBIGINT', 1]
  const cut = range(shape.length).filter(n => shape[n] > UNCUT)
  for (const n of cut.sort((a, b) => shape[b] - shape[a])) {
    const own = Math.floor(shape[n] / TILE) + 1
    tiles *= own
    if (tiles > MOST_TILES) break
    key = `(${key}) * ${own} + CAST(c${n} // ${TILE} AS UBIGINT)`
  }
  return `SELECT * FROM ${rows}${cut.length === 0 ? '' : ` ORDER BY ${key}`}`
}

/** Modes joined at a time: what is carried from join to join stays narrow, since products take the place of factors. */
const JOINED = 2

/**
 * Rows with columns w0, w1, … beside their own: the product (of logarithms the sum) of the factors of each class. The rows have a column of
 * codes for every mode. With offsets there are columns g0, g1, … too: the place of each code, from the table of factors. To group by one of these is
 * quicker than by the code, since DuckDB knows that it comes from a short list.
 */
const joined = (
  rows: string,
  codes: readonly string[],
  classes: readonly number[],
  logarithms: boolean,
  w: string,
  offsets?: readonly number[],
): string => {
  const times = logarithms ? ' + ' : ' * '
  let from = rows
  for (let first = 0; first < codes.length; first += JOINED) {
    const modes = range(Math.min(JOINED, codes.length - first), first)
    const products = classes.map(k => {
      const factors = modes.map(n => `f${n}.f${k}`)
      return `${[...(first === 0 ? [] : [`t.${w}${k}`]), ...factors].join(times)} AS ${w}${k}`
    })
    const places = offsets === undefined ? [] : modes.map(n => `f${n}.place AS g${n}`)
    const carried = first === 0 ? ['t.*', ...products] : [`t.* REPLACE (${list(products)})`]
    const joins = modes.map(n => {
      const table =
        offsets === undefined ? `f${n}` : `(SELECT *, CAST(code AS INTEGER) + ${offsets[n]} AS place FROM f${n}) f${n}`
      return `JOIN ${table} ON f${n}.code = t.${codes[n]}`
    })
    from = `(SELECT ${list([...carried, ...places])} FROM ${from} t ${joins.join(' ')})`
  }
  return from
}

/**
 * Rows with columns w0, w1, … that are sums of logarithms, turned into weights: `top` the largest of a model, w = exp(w − top), p = Σ w.
 * Where the largest is −Infinity all are 0.
 */
const exponentials = (rows: string, models: readonly (readonly number[])[], w: string): string => {
  const tops = models.map((own, m) => `greatest(${list(own.map(k => `${w}${k}`))}) AS ${w}top${m}`)
  const weights = models.flatMap((own, m) =>
    own.map(k => `exp(${w}${k} - CASE WHEN ${w}top${m} = ${IMPOSSIBLE} THEN 0 ELSE ${w}top${m} END) AS ${w}${k}`),
  )
  return summed(`(SELECT * REPLACE (${list(weights)}) FROM (SELECT *, ${list(tops)} FROM ${rows}))`, models, w)
}

const summed = (rows: string, models: readonly (readonly number[])[], w: string): string =>
  `(SELECT *, ${list(models.map((own, m) => `${own.map(k => `${w}${k}`).join(' + ')} AS ${w}p${m}`))} FROM ${rows})`

/** The cells of a plan with the weights of all classes w0, w1, …, their sums wp0, … by model, and with logarithms wtop0, … . */
const weighed = ({ table, shape, offsets, ranks, logarithms }: ScanPlan): string => {
  const models = classesOf(ranks)
  const classes = models.flat()
  const codes = shape.map((_, n) => `c${n}`)
  if (shape.length <= duckdbDialect.mostTables) {
    const rows = joined(`(SELECT ${list(codes)}, v FROM ${table})`, codes, classes, logarithms, 'w', offsets)
    return logarithms ? exponentials(rows, models, 'w') : summed(rows, models, 'w')
  }
  // So many modes that joins would be too many: an entry a row, and sums by cell.
  const places = codes.map((code, n) => `CAST(${code} AS INTEGER) + ${offsets[n]}`)
  const sums = classes.map(k => `sum(f.f${k}) AS w${k}`)
  const entries = `(SELECT rowid AS cell, unnest([${list(places)}]) AS place FROM ${table})`
  const logs = `(SELECT cell, ${list(sums)} FROM ${entries} e JOIN f ON f.code = e.place GROUP BY cell)`
  return exponentials(
    `(SELECT t.*, l.* EXCLUDE (cell) FROM ${table} t JOIN ${logs} l ON l.cell = t.rowid)`,
    models,
    'w',
  )
}

/** SQL of the list of the places of a cell's labels: −1 first, which every cell has, and NULL where it has none. */
const placesOf = ({ shape, offsets }: ScanPlan): string =>
  `[-1, ${list(shape.map((_, n) => `CASE WHEN c${n} > 0 THEN CAST(c${n} AS INTEGER) + ${offsets[n]} END`))}]`

/** Rows with the code of every mode beside their own columns. */
const coded = (from: string, modes: readonly KeyedMode[], more: readonly string[] = []): string => {
  const keys = [...modes.map(({ key }, n) => `${key} AS ${OWN}k${n}`), ...more]
  let rows = `(SELECT *, ${list(keys)} FROM ${from})`
  modes.forEach(({ dictionary, missing, unseen }, n) => {
    const code = `CASE WHEN t.${OWN}k${n} IS NULL THEN ${missing} ELSE coalesce(d.code, ${unseen}) END`
    const seen = `t.${OWN}k${n} IS NOT NULL AND d.code IS NULL AS ${OWN}u${n}`
    rows = `(SELECT t.*, ${code} AS ${OWN}c${n}, ${seen} FROM ${rows} t LEFT JOIN ${dictionary} d ON d.label = t.${OWN}k${n})`
  })
  return rows
}

/** Coded rows with the posterior of every class w0, …, the log-likelihood, and the most probable class from 0. */
const scored = (rows: string, modes: number, shares: readonly number[]): string => {
  const rank = shares.length
  const w = `${OWN}w`
  const codes = range(modes).map(n => `${OWN}c${n}`)
  const weights = exponentials(joined(rows, codes, range(rank), true, w), [range(rank)], w)
  const first = range(rank).map(k => `WHEN ${w}${k} = 1 THEN ${k}`)
  const largest = shares.indexOf(Math.max(...shares))
  const columns = [
    `CASE WHEN ${w}top0 = ${IMPOSSIBLE} THEN ${largest} ${first.join(' ')} ELSE 0 END AS ${OWN}class`,
    `CASE WHEN ${w}p0 > 0 THEN ${w}top0 + ln(${w}p0) ELSE ${IMPOSSIBLE} END AS ${OWN}log`,
  ]
  const posteriors = range(rank).map(
    k => `CASE WHEN ${w}p0 > 0 THEN ${w}${k} / ${w}p0 ELSE CAST('${shares[k]}' AS DOUBLE) END AS ${w}${k}`,
  )
  return `(SELECT * REPLACE (${list(posteriors)}), ${list(columns)} FROM ${weights})`
}

/** A uniform number for the row i of a sample, by the seed and which of so many numbers of the row it is. */
const uniform = (seed: number, which: number, of: number): string =>
  `(CAST(hash(xor(CAST(i * ${of} + ${which} AS UBIGINT), hash(${seed}))) >> 11 AS DOUBLE) / ${2 ** 53})`

export const duckdbDialect: Dialect = {
  name: 'DuckDB',
  identifier,
  literal,
  mostTables: 120,
  // Where passes are long, columns that do not fit into the cache cost more than a second scan; where they are short, statements do.
  mostClasses: cells => (cells < 50_000 ? 256 : 16),

  describe: from => `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${from})`,
  kindOf: type => {
    if (/^(STRUCT|MAP|UNION)|\[\d*\]$|^(BLOB|JSON)$/.test(type)) return 'other'
    if (/^(DATE|TIME)/.test(type)) return 'date'
    if (type === 'BOOLEAN') return 'boolean'
    if (/^(DOUBLE|FLOAT|DECIMAL)/.test(type)) return 'number'
    return /INT/.test(type) ? 'whole' : 'text'
  },
  text: (column, type, missing) => {
    const known = /^(DOUBLE|FLOAT)$/.test(type) ? `CASE WHEN isnan(${column}) THEN NULL ELSE ${column} END` : column
    const text = type === 'VARCHAR' ? known : `CAST(${known} AS VARCHAR)`
    return missing.length === 0 ? text : `CASE WHEN ${text} NOT IN (${list(missing.map(literal))}) THEN ${text} END`
  },
  number: text => `TRY_CAST(${text} AS DOUBLE)`,
  labels: (from, key, weight) =>
    `SELECT label, CAST(sum(w) AS DOUBLE) FROM (SELECT ${key} AS label, ${weight ?? '1'} AS w FROM ${from}) ` +
    'WHERE label IS NOT NULL GROUP BY label',
  check: (from, keys, weight) => {
    const missing = keys.map(key => `(${key}) IS NULL`).join(' AND ')
    const bad = weight === undefined ? 'false' : `coalesce(NOT (isfinite(${weight}) AND ${weight} >= 0), true)`
    const counts = [`count(*)`, `count(*) FILTER (${bad})`, `count(*) FILTER (${missing})`]
    return `SELECT ${list(counts.map(count => `CAST(${count} AS DOUBLE)`))} FROM ${from}`
  },

  createCells: ({ table, from, modes, shape, weight }) => {
    const codes = shape.map((labels, n) => `CAST(${OWN}c${n} AS ${CODES[codeBits(labels)]}) AS c${n}`)
    const value = weight === undefined ? 'CAST(count(*) AS DOUBLE)' : `sum(${OWN}v)`
    const rows = coded(from, modes, weight === undefined ? [] : [`${weight} AS ${OWN}v`])
    const any = modes.map((_, n) => `${OWN}c${n} > 0`).join(' OR ')
    const counted =
      `(SELECT ${list(codes)}, ${value} AS v FROM ${rows} WHERE ${any} ` +
      `GROUP BY ${list(range(modes.length, 1))} HAVING ${value} > 0)`
    return [`CREATE TEMP TABLE ${table} AS ${tiled(counted, shape)}`]
  },
  keepCells: (table, shape) => [`CREATE TEMP TABLE ${table} AS ${tiled('cells', shape)}`],
  constants: table =>
    `SELECT CAST(count(*) AS DOUBLE), coalesce(sum(v), 0), coalesce(sum(v * ln(v)), 0), coalesce(sum(lgamma(v + 1)), 0) FROM ${table}`,
  working: name => `temp.main.${identifier(name)}`,
  drop: table => [`DROP TABLE IF EXISTS ${table}`],
  leftovers: prefix =>
    `SELECT 'temp.main."' || table_name || '"' FROM duckdb_tables() WHERE temporary AND starts_with(table_name, ${literal(prefix)})`,

  scan: plan => {
    const { shape, offsets, ranks, logarithms } = plan
    const models = classesOf(ranks)
    const logs = models.map((_, m) =>
      logarithms
        ? `CASE WHEN wp${m} > 0 THEN v * (wtop${m} + ln(wp${m})) ELSE ${IMPOSSIBLE} END AS l${m}`
        : `v * ln(wp${m}) AS l${m}`,
    )
    const ratios = models.map((_, m) =>
      logarithms ? `CASE WHEN wp${m} > 0 THEN v / wp${m} ELSE 0 END AS r${m}` : `v / wp${m} AS r${m}`,
    )
    const shared = `(SELECT *, ${list(ratios)}, ${list(logs)} FROM ${weighed(plan)})`
    const sums = [
      ...models.flatMap((own, m) => own.map(k => `sum(w${k} * r${m})`)),
      ...models.map((_, m) => `sum(l${m})`),
      'CAST(count(*) AS DOUBLE)',
    ]
    const codes = shape.map((_, n) => `c${n}`)
    if (shape.length > duckdbDialect.mostTables) {
      const places = codes.map((code, n) => `CAST(${code} AS INTEGER) + ${offsets[n]}`)
      return `SELECT place, ${list(sums)} FROM (SELECT *, unnest([${list(places)}]) AS place FROM ${shared}) GROUP BY place`
    }
    // Of the places of a row only the one it is grouped by is there.
    const places = shape.map((_, n) => `g${n}`)
    return `SELECT coalesce(${list(places)}), ${list(sums)} FROM ${shared} GROUP BY GROUPING SETS (${list(places.map(place => `(${place})`))})`
  },
  underflow: message => /cannot take logarithm of zero/.test(message),
  measure: plan => {
    const classes = range(plan.ranks[0])
    const most = classes.map(k => `WHEN w${k} = 1 THEN ${k}`)
    const a = `CASE WHEN wtop0 = ${IMPOSSIBLE} THEN -1 ${most.join(' ')} ELSE 0 END`
    const sums = [
      ...classes.map(k => `coalesce(sum(v * (w${k} / wp0)), 0)`),
      'coalesce(sum(v * l), 0)',
      'coalesce(sum(v * v * exp(-l)), 0)',
    ]
    const rows = `(SELECT *, ${a} AS a, CASE WHEN wp0 > 0 THEN wtop0 + ln(wp0) END AS l FROM ${weighed(plan)})`
    return `SELECT CAST(a AS INTEGER), ${list(sums)} FROM ${rows} GROUP BY a`
  },
  information: plan => {
    const classes = range(plan.ranks[0])
    const pairs = classes.flatMap(k => range(k + 1).map(l => ({ k, l })))
    const products = pairs.map(({ k, l }, i) => `v * (w${k} / wp0) * (w${l} / wp0) AS h${i}`)
    const cells = `(SELECT *, ${placesOf(plan)} AS places FROM ${weighed(plan)})`
    const possible = `(SELECT places, ${list(products)} FROM ${cells} WHERE wp0 > 0)`
    const both = `(SELECT *, unnest(places) AS b FROM (SELECT *, unnest(places) AS a FROM ${possible}))`
    const sums = pairs.map((_, i) => `sum(h${i})`)
    const nothing = pairs.slice(1).map(() => '0::DOUBLE')
    return (
      `SELECT CAST(a AS INTEGER), CAST(b AS INTEGER), ${list(sums)} FROM ${both} WHERE a >= b GROUP BY a, b UNION ALL ` +
      `SELECT -2, -2, ${list(['sum(v)', ...nothing])} FROM ${cells} WHERE NOT wp0 > 0 HAVING count(*) > 0`
    )
  },

  score: ({ into, from, modes, rank, shares, classes, columns, posteriors }) => {
    const w = `${OWN}w`
    const named = classes.map((name, k) => `WHEN ${k} THEN ${name}`)
    const probability = range(rank).map(k => `${w}${k}`)
    const added = [
      `CASE ${OWN}class ${named.join(' ')} END AS ${identifier(columns.class)}`,
      `greatest(${list(probability)}) AS ${identifier(columns.probability)}`,
      `${OWN}log AS ${identifier(columns.logLikelihood)}`,
      ...posteriors.map((name, k) => `${w}${k} AS ${identifier(name)}`),
    ]
    const rows = scored(coded(from, modes), modes.length, shares)
    return [
      `CREATE TABLE ${into} AS SELECT * EXCLUDE (${list(ownColumns(modes.length, rank))}), ${list(added)} FROM ${rows}`,
    ]
  },
  summary: ({ from, modes, rank, shares }, weight) => {
    const value = `${OWN}v`
    const rows = scored(coded(from, modes, [`CAST(${weight ?? '1'} AS DOUBLE) AS ${value}`]), modes.length, shares)
    const probability = `greatest(${list(range(rank).map(k => `${OWN}w${k}`))})`
    const possible = `${OWN}log > ${IMPOSSIBLE}`
    const sums = [
      'count(*)',
      `sum(${value})`,
      `sum(${value} * ${probability})`,
      `coalesce(sum(${value} * ${OWN}log) FILTER (${possible}), 0)`,
      `count(*) FILTER (NOT ${possible})`,
      ...modes.map((_, n) => `count(*) FILTER (${OWN}u${n})`),
    ]
    return `SELECT CAST(${OWN}class AS INTEGER), ${list(sums.map(sum => `CAST(${sum} AS DOUBLE)`))} FROM ${rows} GROUP BY 1`
  },
  impute: ({ into, from, modes, columns, absent, rank, shares, shape }) => {
    const codes = modes.map((_, n) => `${OWN}c${n}`)
    const rows = coded(from, modes)
    const lacks = codes.map(code => `${code} = 0`).join(' OR ')
    // What is filled in depends on the codes alone: every combination of them is looked at once.
    const patterns = scored(`(SELECT DISTINCT ${list(codes)} FROM ${rows} WHERE ${lacks})`, modes.length, shares)
    const filled = shape.map((_, n) => {
      const probability = range(rank).map(k => `p.${OWN}w${k} * g.g${k}`)
      const best = `(SELECT arg_max(g.label, (${probability.join(' + ')}, -g.code)) FROM g${n} g)`
      return `CASE WHEN p.${codes[n]} = 0 THEN ${best} END AS ${OWN}l${n}`
    })
    const labels = `(SELECT ${list(codes.map(code => `p.${code}`))}, ${list(filled)} FROM ${patterns} p)`
    const same = codes.map(code => `t.${code} = q.${code}`).join(' AND ')
    const of = (n: number) => {
      const name = identifier(columns[n])
      if (absent[n]) return `${OWN}l${n} AS ${name}`
      return `CASE WHEN ${OWN}k${n} IS NULL AND ${codes[n]} = 0 THEN ${OWN}l${n} ELSE CAST(${name} AS VARCHAR) END AS ${name}`
    }
    const replaced = range(modes.length).filter(n => !absent[n])
    const added = range(modes.length).filter(n => absent[n])
    const own = range(modes.length).flatMap(n => [`k${n}`, `c${n}`, `u${n}`, `l${n}`].map(name => `${OWN}${name}`))
    return [
      `CREATE TABLE ${into} AS SELECT * EXCLUDE (${list(own)})` +
        `${replaced.length === 0 ? '' : ` REPLACE (${list(replaced.map(of))})`}${added.map(n => `, ${of(n)}`).join('')} ` +
        `FROM (SELECT t.*, ${list(shape.map((_, n) => `q.${OWN}l${n}`))} FROM ${rows} t LEFT JOIN ${labels} q ON ${same})`,
    ]
  },
  sample: ({ into, rows, seed, columns, class: classColumn, classes }) => {
    const named = classes.map((name, k) => `WHEN ${k} THEN ${name}`)
    let drawn = `(SELECT i, d.class FROM (SELECT i, ${uniform(seed, 0, columns.length + 1)} AS u FROM range(${rows}) t(i)) r ASOF JOIN d ON r.u >= d.low)`
    columns.forEach((_, n) => {
      const numbered = `(SELECT *, ${uniform(seed, n + 1, columns.length + 1)} AS u FROM ${drawn})`
      drawn = `(SELECT r.* EXCLUDE (u), x.label AS l${n} FROM ${numbered} r ASOF JOIN d${n} x ON r.class = x.class AND r.u >= x.low)`
    })
    const shown = [
      ...(classColumn === undefined ? [] : [`CASE class ${named.join(' ')} END AS ${identifier(classColumn)}`]),
      ...columns.map((name, n) => `l${n} AS ${identifier(name)}`),
    ]
    return [`CREATE TABLE ${into} AS SELECT ${list(shown)} FROM ${drawn} ORDER BY i`]
  },
}

/** The columns that scoring has added to the user's rows. */
const ownColumns = (modes: number, rank: number): string[] =>
  [
    ...range(modes).flatMap(n => [`k${n}`, `c${n}`, `u${n}`]),
    ...range(rank).map(k => `w${k}`),
    'wtop0',
    'wp0',
    'class',
    'log',
  ].map(name => `${OWN}${name}`)
