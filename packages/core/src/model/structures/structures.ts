import { type Read, reader } from '../../reader.ts'
import { ChainStructure, type Stayers } from './chain.ts'
import type { LinkLogitTerms } from './link-logit.ts'
import type { LinkedStructure } from './linked.ts'
import { LogitStructure, type Term, type TermFactor } from './logit.ts'
import { NestedStructure } from './nested.ts'
import { SHARES, type SharesStructure } from './shares.ts'

/** All kinds of structure. */
export type Structure = SharesStructure | LogitStructure | LinkedStructure

const terms = reader.list(
  reader.fields<Term>({
    name: reader.text(),
    factors: reader.list(reader.fields<TermFactor>({ covariate: reader.text(), label: reader.optional(reader.label) })),
  }),
)

const coefficients = reader.list(reader.numbers())

const texts = reader.list(reader.text())
const splits = reader.list(reader.fields({ mode: reader.text(), columns: reader.list(texts) }))
const parts = reader.list(
  reader.fields({
    mode: reader.text(),
    name: reader.text(),
    where: reader.list(reader.fields({ column: reader.text(), label: reader.label })),
  }),
)

const given = reader.list(reader.fields({ name: reader.text(), labels: reader.labels(), numeric: reader.flag }))
const lists = reader.list(reader.list(reader.numbers()))
const linkLogit = reader.fields<LinkLogitTerms>({ terms, given, intercepts: lists, slopes: lists })

const structure: Read<Structure> = reader.kinds<Structure>('kind', {
  shares: () => SHARES,
  logit: (value, where) => {
    const logit = reader.fields({
      reference: reader.finite,
      terms,
      coefficients,
      given,
      splits: reader.optional(splits),
      parts: reader.optional(parts),
    })
    return new LogitStructure(logit(value, where))
  },
  chain: (value, where) => {
    const chain = reader.fields({
      person: reader.text(),
      time: reader.text(),
      waves: reader.labels(),
      initial: reader.numbers(),
      transitions: reader.list(reader.list(reader.numbers())),
      wide: reader.optional(texts),
      starting: reader.optional(linkLogit),
      moving: reader.optional(linkLogit),
      stayers: reader.optional(reader.fields<Stayers>({ share: reader.finite, sizes: reader.numbers() })),
      splits: reader.optional(splits),
      parts: reader.optional(parts),
    })
    return new ChainStructure(chain(value, where))
  },
  nested: (value, where) => {
    const nested = reader.fields({
      within: reader.text(),
      groupSizes: reader.numbers(),
      mixes: reader.list(reader.numbers()),
      grouping: reader.optional(linkLogit),
      mixing: reader.optional(linkLogit),
    })
    return new NestedStructure(nested(value, where))
  },
})

/** A structure from plain values, as JSON or a structured clone has them. */
export const structureFrom = (value: unknown): Structure => structure(value, 'structure')

/** What a file of version 1 has: the covariates are in the recipe by which new tables are read. */
export const structureOfRecipe = (recipe: unknown): Structure => {
  const { covariates } = reader.fieldsOf(recipe)
  if (covariates === undefined) return SHARES
  const columns = reader.list(reader.fields({ column: reader.text(), labels: reader.labels() }))
  const logit = reader.fields({ reference: reader.finite, terms, coefficients, columns })(covariates, 'covariates')
  const numbers = new Set(
    logit.terms
      .flatMap(({ factors }) => factors)
      .flatMap(({ covariate, label }) => (label === undefined ? [covariate] : [])),
  )
  const given = logit.columns.map(({ column, labels }) => ({ name: column, labels, numeric: numbers.has(column) }))
  return new LogitStructure({ ...logit, given })
}
