import { writeFileSync } from 'node:fs'
import { Mode, Model } from '@polyad/core'
import { modelToNpz } from '@polyad/core/file'

/** Data and models that keep every command busy for much longer than a test waits. */

/** Whole numbers below a size, the same in every run. */
const drawing = () => {
  let state = 5
  return (size: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(size * (state / 2 ** 32))
  }
}

/** Rows of an event log: user, item, hour, month, kind, place, age, w (a sampling weight). */
export const writeEvents = (path: string, rows: number): void => {
  const draw = drawing()
  const line = () =>
    [...[3000, 400, 30, 12, 5, 3].map(size => `v${draw(size)}`), 15 + draw(70), (1 + draw(100)) / 50].join()
  const lines = Array.from({ length: rows }, line)
  writeFileSync(path, `user,item,hour,month,kind,place,age,w\n${lines.join('\n')}\n`)
}

/** A model of so many classes, with modes of these sizes whose labels are those of `writeEvents`. */
export const writeModel = (path: string, rank: number, shape: Readonly<Record<string, number>>): void => {
  const draw = drawing()
  const modes = Object.entries(shape).map(([name, size]) => new Mode(name, Array.from({ length: size }, (_, i) => `v${i}`))) // biome-ignore format: one call
  const factors = modes.map(({ size }) => {
    const factor = Float64Array.from({ length: size * rank }, () => 1 + draw(1000))
    const sums = new Float64Array(rank)
    for (let i = 0; i < factor.length; i++) sums[i % rank] += factor[i]
    return factor.map((value, i) => value / sums[i % rank])
  })
  const sizes = new Float64Array(rank).fill(1000 / rank)
  writeFileSync(path, modelToNpz(new Model(modes, { rank, sizes, factors }), {}))
}
