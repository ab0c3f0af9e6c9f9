import { pathToFileURL } from 'node:url'

/** The folder of another build's packages/core/dist, which takes turns with this one. */
const folder = process.env.POLYAD_OLD

/** A module of both builds, by its path in packages/core/dist: the other build first, if there is one. */
export const inBuilds = async <T>(path: string, own: T): Promise<[build: string, module: T][]> => [
  ...(folder === undefined
    ? []
    : ([['the other', await import(pathToFileURL(`${folder}/${path}`).href)]] satisfies [string, T][])),
  ['this build', own],
]
