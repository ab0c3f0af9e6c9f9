import { EngineError, type StopSignal } from '../../errors.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { abilitiesOf } from '../abilities.ts'
import { checkPass, newStatistics, type Session, type Traits } from '../engine.ts'
import type { Card } from './card.ts'
import { CardPass } from './card-pass.ts'
import { CardDescent } from './descent.ts'
import { type PlacedCells, placeCells } from './placed-cells.ts'
import { MOST_RANK } from './shaders/geometry.ts'
import { LOG_SUMS } from './shaders/sums.ts'

/** Passes of so many ranks are kept ready: a search has its own, and that of its wide starts. */
const KEPT = 2

/** What a session on the card can be asked for besides what every session can. */
export interface CardSession extends Session {
  readonly card: Card
  /** Places the cells on the card, if they are not there yet. */
  place(signal?: StopSignal): Promise<PlacedCells>
  /** The steps of a pass and what they work on: for measurements. */
  cardPass(rank: number): Promise<CardPass>
}

/**
 * Passes over the cells of a tensor on a card, in single precision.
 * @param double a session on the same cells, which measures
 */
export const openCardSession = async (
  card: Card,
  tensor: Tensor,
  double: Session,
  signal?: StopSignal,
): Promise<CardSession> => {
  const session = cardSession(card, tensor, double)
  await session.place(signal)
  return session
}

/** The same, with the cells placed on the card when the first pass needs them: a fold that is only asked about needs none. */
export const cardSession = (card: Card, tensor: Tensor, double: Session): CardSession => {
  let placing: Promise<PlacedCells> | undefined
  const place = (signal?: StopSignal): Promise<PlacedCells> => {
    // What was given up is begun anew by the next one who asks.
    placing ??= placeCells(card, tensor, signal).catch(error => {
      placing = undefined
      throw error
    })
    return placing
  }
  const passes: CardPass[] = []
  const descents = new Map<CardPass, CardDescent>()
  const freePass = (pass: CardPass) => {
    descents.get(pass)?.free()
    descents.delete(pass)
    pass.free()
  }
  let closed = false
  const check = () => {
    if (closed) throw new EngineError('the session is closed')
    card.check()
  }
  const passOf = async (rank: number, signal?: StopSignal): Promise<CardPass> => {
    if (rank > MOST_RANK) throw new EngineError(`the graphics engine can fit up to ${MOST_RANK} classes (got ${rank})`)
    const known = passes.findIndex(each => each.rank === rank)
    const pass = known >= 0 ? passes.splice(known, 1)[0] : undefined
    while (pass === undefined && passes.length >= KEPT) freePass(passes.shift()!)
    const found = pass ?? (await CardPass.open(card, tensor, await place(signal), rank))
    passes.push(found)
    return found
  }
  const staging = card.staging(16 * LOG_SUMS)
  const traits: Traits = {
    precision: 1e-7,
    reproducible: true,
    nanosPerPass: rank => 50_000 + (tensor.cells * tensor.shape.length * rank) / 1000,
  }
  const session: Omit<CardSession, 'can'> = {
    data: tensor,
    traits,
    card,
    suits: rank => rank <= MOST_RANK,
    place,
    async cardPass(rank) {
      check()
      return passOf(rank)
    },
    descents: {
      async open(rank, pairs) {
        check()
        const pass = await passOf(rank)
        const known = descents.get(pass)
        if (known !== undefined && known.wanted === pairs) return known
        known?.free()
        descents.delete(pass)
        const descent = await CardDescent.open(card, tensor, await place(), pass, pairs)
        descents.set(pass, descent)
        return descent
      },
    },
    async pass(parameters, into, signal) {
      check()
      checkPass(tensor, parameters, into)
      const statistics = into ?? newStatistics(tensor.shape, parameters.rank)
      const pass = await passOf(parameters.rank, signal)
      const offset = pass.setTable(parameters, tensor.marginals)
      pass.clearRowLogs()
      card.submit(pass.steps, [{ from: pass.found, at: 0, bytes: 16 * LOG_SUMS, to: staging, into: 0 }])
      statistics.logLikelihood = pass.logOf(await card.read(staging, 16 * LOG_SUMS)) + offset
      await pass.statistics(statistics)
      return statistics
    },
    async measure(parameters) {
      check()
      return double.measure(parameters)
    },
    async close() {
      if (closed) return
      closed = true
      for (const pass of passes) freePass(pass)
      staging.destroy()
      // Placing that has failed has freed what it took.
      ;(await placing?.catch(() => undefined))?.free()
    },
  }
  return { ...session, can: abilitiesOf(session) }
}
