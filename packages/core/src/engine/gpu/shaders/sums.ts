import { BLOCK_WORKGROUP, BLOCKS, blockKernel, eachRow, overRows, rowsAtOnce, TILE } from './blocks.ts'
import type { Geometry } from './geometry.ts'

/** Adds up rows: what a label's segments have summed, or what the blocks of a mode have. One workgroup for each list of rows. */
export const rowSumShader = (geometry: Geometry): string => {
  const { stride } = geometry
  const slices = rowsAtOnce(geometry)
  return `
${TILE}
@group(0) @binding(0) var<storage, read> lists: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> rows: array<vec4f>;
@group(0) @binding(2) var<uniform> job: vec4u;

@compute @workgroup_size(${BLOCK_WORKGROUP})
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u, @builtin(local_invocation_index) t: u32) {
  let l = workgroup.y * workgroups.x + workgroup.x;
  if (l >= job.x) { return; }
  let list = lists[l];
  let c = t % ${stride}u;
  let first = t / ${stride}u;
  var sum = vec4f(0.0);
  if (first < ${slices}u) {
    for (var r = first; r < list.z; r += ${slices}u) { sum += rows[(list.y + r) * ${stride}u + c]; }
  }
  tile[t] = sum;
  workgroupBarrier();
  if (first == 0u) {
    for (var r = 1u; r < ${slices}u; r++) { sum += tile[r * ${stride}u + c]; }
    rows[(list.x + job.y) * ${stride}u + c] = sum;
  }
}`
}

/** The column sums of every block of the statistics. */
export const columnShader = (geometry: Geometry): string => `
${TILE}
@group(0) @binding(0) var<storage, read> sums: array<vec4f>;
${BLOCKS(1)}
@group(0) @binding(2) var<storage, read_write> columns: array<vec4f>;
@group(0) @binding(3) var<uniform> job: vec4u;
${blockKernel(
  geometry,
  `var total = vec4f(0.0);
  ${eachRow(geometry, 'total += sums[i];')}
  ${overRows(geometry, 'total', sum => `columns[(job.y + b) * ${geometry.stride}u + c] = ${sum};`)}`,
)}`

/** Workgroups that add up the logarithms: as many sums are left for the double precision of the other side. */
export const LOG_SUMS = 64

/** Adds up logarithms and impossible values, with what rounding loses carried along. */
export const logShader = (): string => `
@group(0) @binding(0) var<storage, read> logs: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4f>;
@group(0) @binding(2) var<uniform> job: vec4u;
var<workgroup> tile: array<vec4f, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) t: u32) {
  var sum = 0.0;
  var lost = 0.0;
  var impossible = 0.0;
  for (var i = workgroup.x * 256u + t; i < job.x; i += ${256 * LOG_SUMS}u) {
    let each = logs[i];
    let term = each.x - lost;
    let next = sum + term;
    lost = (next - sum) - term;
    sum = next;
    impossible += each.y;
  }
  tile[t] = vec4f(sum, -lost, impossible, 0.0);
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (t < half) {
      let a = tile[t];
      let b = tile[t + half];
      // The sum of two numbers and, exactly, what rounding took from it.
      let whole = a.x + b.x;
      let part = whole - a.x;
      let rest = (a.x - (whole - part)) + (b.x - part);
      tile[t] = vec4f(whole, a.y + b.y + rest, a.z + b.z, 0.0);
    }
    workgroupBarrier();
  }
  if (t == 0u) { found[job.y + workgroup.x] = tile[0]; }
}`
