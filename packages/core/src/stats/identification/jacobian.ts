import type { LogitDesign } from '../../fit/covariates/logit.ts'
import { logitOf } from '../../fit/covariates/logit.ts'
import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { ItemModel } from '../../model/items/item.ts'
import { realRank } from '../../numeric/linear.ts'
import { modularInverse, modularRank, modulo, PRIME } from '../../numeric/modular-rank.ts'
import { random } from '../../numeric/philox.ts'

/** What a model has besides classes whose columns are free. */
export interface ModelStructure {
  readonly constraints?: ConstraintSetting | undefined
  readonly explained?: LogitDesign | undefined
  /** For each combination of the covariates, the modes that are asked there; default: all of them. */
  readonly asked?: readonly (readonly number[])[] | undefined
  /** For every mode its item, if its probabilities follow from parameters of their own. */
  readonly items?: readonly (ItemModel | undefined)[] | undefined
  /** A mode that says which class a row is of, and which of its labels occur: the others cannot be told apart. */
  readonly known?: KnownMode | undefined
}

export interface KnownMode {
  readonly mode: number
  readonly occurs: readonly boolean[]
}

/** The distinct lists of modes that are asked together, and for each combination of the covariates which of them. */
const askedTogether = (shape: readonly number[], { asked, explained }: ModelStructure) => {
  const all = shape.map((_, n) => n)
  if (asked === undefined) return { lists: [all], which: new Int32Array(explained?.patterns ?? 1) }
  const keys = asked.map(modes => modes.join())
  const distinct = [...new Set(keys)]
  return {
    lists: distinct.map(key => asked[keys.indexOf(key)]),
    which: Int32Array.from(keys, key => distinct.indexOf(key)),
  }
}

/** The numbers in which a Jacobian is made. */
interface Field {
  draw(): number
  plus(a: number, b: number): number
  minus(a: number, b: number): number
  times(a: number, b: number): number
  /** A probability as one of them. */
  known(probability: number): number
  rank(rows: Float64Array[]): number
}

/** Fixed probabilities are taken to this many parts of 1 where they become whole numbers. */
const PARTS = 1_000_000

/** Whole numbers modulo a prime: nothing is rounded, and the rank is beyond doubt. */
const wholeNumbers = (): Field => {
  const { below } = random(1, 'probe')
  const part = modularInverse(PARTS)
  return {
    draw: () => 1 + below(PRIME - 1),
    plus: (a, b) => modulo(a + b),
    minus: (a, b) => modulo(a + PRIME - b),
    times: (a, b) => modulo(a * b),
    known: probability => modulo(Math.round(probability * PARTS) * part),
    rank: modularRank,
  }
}

/** Memberships are exponentials of real numbers. */
const realNumbers = (point: number): Field => {
  const { uniform } = random(1, 'probe', point)
  return {
    draw: () => 2 * uniform() - 1,
    plus: (a, b) => a + b,
    minus: (a, b) => a - b,
    times: (a, b) => a * b,
    known: probability => probability,
    rank: realRank,
  }
}

/** Random points in real numbers: at each the rank could by chance be too low. */
const POINTS = 2

/**
 * The rank of the Jacobian of a model's cells by its free parameters, at a random point that obeys the constraints, and at the covariates as
 * they are. It is seen through random functionals that are products, one for each mode and one for the combinations of the covariates: a few
 * more than there are columns, or cells.
 */
export const jacobianRank = (
  shape: readonly number[],
  rank: number,
  structure: ModelStructure,
  cells: number,
): number => {
  const ranks =
    structure.explained === undefined && structure.items === undefined
      ? [rankIn(wholeNumbers(), shape, rank, structure, cells)]
      : Array.from({ length: POINTS }, (_, point) => rankIn(realNumbers(point), shape, rank, structure, cells))
  return Math.max(...ranks)
}

const rankIn = (
  field: Field,
  shape: readonly number[],
  rank: number,
  structure: ModelStructure,
  cells: number,
): number => {
  const { constraints = { named: false, fixed: [], tied: [] }, explained, known } = structure
  const { draw, plus, minus, times } = field
  // The columns of items follow from their parameters.
  const ofTables = shape.map((size, mode) => (structure.items?.[mode] === undefined ? size : 1))
  const factors = randomFactors(field, ofTables, rank, constraints)
  const { lists, which } = askedTogether(shape, structure)
  const membership = explained === undefined ? sharesPart(field, rank) : logitPart(field, explained, rank, which)
  const directions = directionsOf(ofTables, rank, constraints).filter(
    ([{ mode }]) => structure.items?.[mode] === undefined,
  )
  const items = itemDirections(field, structure.items ?? [], factors, shape)
  const columns = membership.size + directions.length + items.length
  if (columns === 0) return 0
  const rows = Array.from({ length: Math.min(columns, cells) + 4 }, () => {
    const functional = factors[0].map(({ length }, n) => {
      const values = Float64Array.from({ length }, draw)
      if (known?.mode !== n) return values
      const unseen = draw()
      return values.map((value, label) => (known.occurs[label] ? value : unseen))
    })
    const inner = factors.map(own =>
      own.map((column, n) => column.reduce((sum, p, j) => plus(sum, times(p, functional[n][j])), 0)),
    )
    const others = (k: number, but: number, list: readonly number[]) =>
      list.reduce((product, n) => (n === but ? product : times(product, inner[k][n])), 1)
    const row = new Float64Array(columns)
    const classes = lists.map(list => Float64Array.from({ length: rank }, (_, k) => others(k, -1, list)))
    const shares = membership.fill(row, classes)
    // How much every class and mode counts for, in all tables in which the mode is asked.
    const without = factors.map((_, k) =>
      shape.map((_, n) =>
        lists.reduce(
          (sum, list, i) => (list.includes(n) ? plus(sum, times(shares[i][k], others(k, n, list))) : sum),
          0,
        ),
      ),
    )
    directions.forEach((direction, i) => {
      let sum = 0
      for (const { mode, class: k, gains, loses } of direction) {
        const change = minus(functional[mode][gains], functional[mode][loses])
        sum = plus(sum, times(without[k][mode], change))
      }
      row[membership.size + i] = sum
    })
    items.forEach(({ mode, changes }, i) => {
      row[membership.size + directions.length + i] = changes.reduce(
        (sum, { class: k, by }) =>
          sum + without[k][mode] * by.reduce((total, change, j) => total + change * functional[mode][j], 0),
        0,
      )
    })
    return row
  })
  return field.rank(rows)
}

/** A parameter of an item, and how the probabilities of its labels change with it, in the classes that depend on it. */
interface ItemDirection {
  readonly mode: number
  readonly changes: readonly { readonly class: number; readonly by: Float64Array }[]
}

/** Of more labels, not all are looked at, if these are many more than an item has parameters. */
const MOST_LABELS = 500

/** Random parameters of items: their tables become the factors, by class and mode; the changes of these by each parameter. */
const itemDirections = (
  { draw }: Field,
  items: readonly (ItemModel | undefined)[],
  factors: Float64Array[][],
  shape: readonly number[],
): ItemDirection[] =>
  items.flatMap((item, mode) => {
    if (item === undefined) return []
    const labels = shape[mode]
    const every = 2 * item.size < MOST_LABELS ? Math.ceil(labels / MOST_LABELS) : 1
    const theta = item.random(new Float64Array(labels).fill(1), () => (draw() + 1) / 2)
    const table = new Float64Array(labels * item.rank)
    item.table(theta, table)
    factors.forEach((own, k) => {
      own[mode] = table.filter((_, i) => i % (item.rank * every) === k)
    })
    const scores = item.scores(theta)
    return Array.from({ length: item.size }, (_, at) => ({
      mode,
      changes: scores.flatMap(({ rows, scores: all }, k) => {
        const column = rows.indexOf(at)
        if (column < 0) return []
        // A parameter's unit is no matter of the rank.
        const unit = item.positive[at] ? theta[at] : 1
        return [{ class: k, by: factors[k][mode].map((p, j) => unit * p * all[j * every * rows.length + column]) }]
      }),
    }))
  })

/** The part of a row by what decides the classes' sizes; gives how much of each class there is, for every list of modes. */
interface MembershipPart {
  readonly size: number
  /** @param whole for every list of modes that are asked together, what the functional is in each class */
  fill(row: Float64Array, whole: readonly Float64Array[]): readonly ArrayLike<number>[]
}

const sharesPart = ({ draw, minus }: Field, rank: number): MembershipPart => {
  const shares = Array.from({ length: rank }, draw)
  return {
    size: rank - 1,
    fill: (row, [whole]) => {
      for (let k = 1; k < rank; k++) row[k - 1] = minus(whole[k], whole[0])
      return [shares]
    },
  }
}

const logitPart = ({ draw }: Field, design: LogitDesign, rank: number, which: Int32Array): MembershipPart => {
  const { values, patterns, terms } = design
  const width = terms.length
  const logit = logitOf(design, rank)
  const memberships = new Float64Array(patterns * rank)
  logit.memberships(Float64Array.from({ length: logit.size }, draw), memberships)
  return {
    size: logit.size,
    fill: (row, wholes) => {
      const shares = wholes.map(() => new Float64Array(rank))
      for (let z = 0; z < patterns; z++) {
        const over = draw()
        const own = memberships.subarray(z * rank, (z + 1) * rank)
        const whole = wholes[which[z]]
        const mean = whole.reduce((sum, each, k) => sum + own[k] * each, 0)
        for (let k = 0; k < rank; k++) {
          shares[which[z]][k] += over * own[k]
          if (k === 0) continue
          for (let p = 0; p < width; p++)
            row[(k - 1) * width + p] += over * own[k] * (whole[k] - mean) * values[z * width + p]
        }
      }
      return shares
    },
  }
}

/** A random model that obeys the constraints, for every class its columns, each with a sum of 1. */
const randomFactors = (
  { draw, plus, minus, known: numberOf }: Field,
  shape: readonly number[],
  rank: number,
  { fixed, tied }: ConstraintSetting,
): Float64Array[][] => {
  const factors = Array.from({ length: rank }, (_, k) =>
    shape.map((size, mode) => {
      const column = Float64Array.from({ length: size }, draw)
      const known = fixed.filter(each => each.mode === mode && each.class === k)
      for (const { label, value } of known) column[label] = numberOf(value)
      // What follows from the others; where all are fixed, it is what rounding has left.
      const last = column.findLastIndex((_, j) => known.every(({ label }) => label !== j))
      const rest = last >= 0 ? last : size - 1
      column[rest] = minus(
        1,
        column.reduce((total, value, j) => (j === rest ? total : plus(total, value)), 0),
      )
      return column
    }),
  )
  for (const [first, ...others] of tied) {
    for (const { mode, class: k, labels } of others) {
      labels.forEach((label, i) => {
        factors[k][mode][label] = factors[first.class][first.mode][first.labels[i]]
      })
    }
  }
  return factors
}

/** A way in which columns may change together: one label gains what another loses. */
type Direction = readonly {
  readonly mode: number
  readonly class: number
  readonly gains: number
  readonly loses: number
}[]

const directionsOf = (shape: readonly number[], rank: number, { fixed, tied }: ConstraintSetting): Direction[] => {
  const isFixed = (mode: number, k: number, label: number) =>
    fixed.some(each => each.mode === mode && each.class === k && each.label === label)
  const inGroup = new Set(tied.flat().map(({ mode, class: k }) => `${mode} ${k}`))
  const singles = shape.flatMap((size, mode) =>
    Array.from({ length: rank }, (_, k) => k)
      .filter(k => !inGroup.has(`${mode} ${k}`))
      .map(k => [{ mode, class: k, labels: Array.from({ length: size }, (_, j) => j) }]),
  )
  return [...singles, ...tied].flatMap(group => {
    const { mode, class: k, labels } = group[0]
    const free = labels.flatMap((label, part) => (isFixed(mode, k, label) ? [] : [part]))
    return free.slice(1).map(part =>
      group.map(each => ({
        mode: each.mode,
        class: each.class,
        gains: each.labels[part],
        loses: each.labels[free[0]],
      })),
    )
  })
}
