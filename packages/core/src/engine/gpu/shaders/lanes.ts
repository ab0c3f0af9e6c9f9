import type { Geometry } from './geometry.ts'

/** Invocations of a workgroup. */
export const WORKGROUP = 128

/** Text for every vector that a lane holds. */
export const eachOf = ({ each }: Geometry, text: (r: number) => string): string =>
  Array.from({ length: each }, (_, r) => text(r)).join('\n')

/** Adds a number up over the lanes of a row, in each of them. */
export const overLanes = ({ lanes }: Geometry, name: string): string => {
  let text = ''
  for (let step = 1; step < lanes; step *= 2) text += `${name} += subgroupShuffleXor(${name}, ${step}u);\n`
  return text
}

/** The largest over the lanes of a row, in each of them. */
export const largestOverLanes = ({ lanes }: Geometry, name: string): string => {
  let text = ''
  for (let step = 1; step < lanes; step *= 2) text += `${name} = max(${name}, subgroupShuffleXor(${name}, ${step}u));\n`
  return text
}

/** What a shader begins with; lanes that add up among each other need subgroups. */
export const heading = ({ lanes }: Geometry): string =>
  lanes > 1 ? 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n' : ''

/** Which group of lanes this is, and which of its lanes. A dispatch has two dimensions, since one holds too few workgroups. */
export const whichGroup = ({ lanes }: Geometry): string => `
  let group = (workgroup.y * workgroups.x + workgroup.x) * ${WORKGROUP / lanes}u + t / ${lanes}u;
  let lane = t % ${lanes}u;`

export const BUILTINS = `@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u, @builtin(local_invocation_index) t: u32`

/** The most of something over all lanes that run together, so that they go round a loop equally often. */
export const mostOf = ({ lanes }: Geometry, text: string): string => (lanes > 1 ? `subgroupMax(${text})` : text)
