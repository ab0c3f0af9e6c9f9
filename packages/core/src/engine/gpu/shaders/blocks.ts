import type { Geometry } from './geometry.ts'

/** Invocations of a workgroup that goes through a block of rows. */
export const BLOCK_WORKGROUP = 256

/** How many rows a workgroup takes at once. */
export const rowsAtOnce = ({ stride }: Geometry): number => Math.floor(BLOCK_WORKGROUP / stride)

/** Every block is four words: first row, rows, mode, nothing. */
export const BLOCKS = (binding: number): string =>
  `@group(0) @binding(${binding}) var<storage, read> blocks: array<vec4u>;`

/**
 * Begins a kernel of one block for each workgroup: invocation t has column `c` of every so many rows.
 * @param count where the kernel finds how many blocks there are @param parts how often all blocks are gone through, each time as another `part`
 */
export const blockKernel = (geometry: Geometry, body: string, count = 'job.x', parts?: string): string => {
  const { stride } = geometry
  return `
@compute @workgroup_size(${BLOCK_WORKGROUP})
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u, @builtin(local_invocation_index) t: u32) {
  ${whichBlock(count, parts)}
  let block = blocks[b];
  let c = t % ${stride}u;
  let first = t / ${stride}u;
  let working = first < ${rowsAtOnce(geometry)}u;
  let end = select(0u, block.y, working);
  ${body}
}`
}

const whichBlock = (count: string, parts: string | undefined): string =>
  parts === undefined
    ? `let b = workgroup.y * workgroups.x + workgroup.x;
  if (b >= ${count}) { return; }`
    : `let all = workgroup.y * workgroups.x + workgroup.x;
  let part = all / ${count};
  let b = all % ${count};
  if (part >= ${parts}) { return; }`

/** Goes through the rows of an invocation: \`i\` is the place of its vector. */
export const eachRow = (geometry: Geometry, body: string): string => `
  for (var r = first; r < end; r += ${rowsAtOnce(geometry)}u) {
    let i = (block.x + r) * ${geometry.stride}u + c;
    ${body}
  }`

export const TILE = `var<workgroup> tile: array<vec4f, ${BLOCK_WORKGROUP}>;`

/** Adds a vector up over the rows of a workgroup, and writes the sum for every column. */
export const overRows = (geometry: Geometry, value: string, write: (sum: string) => string): string => `
  {
    workgroupBarrier();
    tile[t] = ${value};
    workgroupBarrier();
    if (first == 0u) {
      var sum = tile[t];
      for (var r = 1u; r < ${rowsAtOnce(geometry)}u; r++) { sum += tile[r * ${geometry.stride}u + c]; }
      ${write('sum')}
    }
  }`
