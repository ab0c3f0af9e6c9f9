// @ts-nocheck: it runs where nothing is installed, on what was built
// The built library is taken from packages/core/dist, WebGPU from the package webgpu (CORE names another folder of the library, WEBGPU another
// path of the package).
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const core = pathToFileURL(
  `${resolve(process.env.CORE ?? new URL('../../packages/core/dist', import.meta.url).pathname)}/`,
)

/** A module of the built library. */
export const load = path => import(new URL(path, core).href)

const { create } = await import(process.env.WEBGPU ? pathToFileURL(resolve(process.env.WEBGPU)).href : 'webgpu')

/** What `navigator.gpu` is in a browser. */
export const gpu = create([])
