import type { Geometry } from './geometry.ts'
import { BUILTINS, eachOf, heading, largestOverLanes, mostOf, overLanes, WORKGROUP, whichGroup } from './lanes.ts'

/** Cells that a group of lanes takes at once: while the rows of one are on their way, those of the other are asked for. */
const AT_ONCE = 2

/**
 * One mode of a pass, where there are few: a group of lanes goes through the cells of a segment with its label's own row in registers, gathers the
 * rows of the other labels, and sums y/p times their product. Every mode computes p anew, which costs less than to write it down.
 */
export const passShader = (geometry: Geometry, modes: number, withLog: boolean): string => {
  const { lanes, stride } = geometry
  const others = Array.from({ length: modes - 1 }, (_, m) => m)
  const cells = Array.from({ length: AT_ONCE }, (_, u) => u)
  const gather = (u: number, r: number) =>
    others.length === 0 ? 'vec4f(1.0)' : others.map(m => `table[row${u}_${m} + ${r * lanes}u + lane]`).join(' * ')
  const each = (text: (u: number) => string) => cells.map(text).join('\n')
  return `${heading(geometry)}
@group(0) @binding(0) var<storage, read> table: array<vec4f>;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<vec4u>;
@group(0) @binding(3) var<storage, read> shares: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec4f>;
${withLog ? '@group(0) @binding(5) var<storage, read_write> logs: array<vec2f>;' : ''}
@group(0) @binding(6) var<uniform> job: vec4u;

@compute @workgroup_size(${WORKGROUP})
fn main(${BUILTINS}) {
  ${whichGroup(geometry)}
  let live = group < job.x;
  let segment = segments[min(group, job.x - 1u)];
  let length = select(0u, segment.y, live);
  let rounds = ${mostOf(geometry, 'length')};
  let own = segment.z * ${stride}u + lane;
${eachOf(geometry, r => `  let own${r} = table[own + ${r * lanes}u] * shares[${r * lanes}u + lane]; var sum${r} = vec4f(0.0);`)}
  var logs0 = 0.0;
  var impossible = 0.0;
  for (var i = 0u; i < rounds; i += ${AT_ONCE}u) {
${each(
  u => `    let inside${u} = i + ${u}u < length;
    let at${u} = (segment.x + select(0u, i + ${u}u, inside${u})) * ${modes}u;
    let y${u} = select(0.0, bitcast<f32>(cells[at${u} + ${modes - 1}u]), inside${u});
${others.map(m => `    let row${u}_${m} = cells[at${u} + ${m}u] * ${stride}u;`).join('\n')}`,
)}
${each(u => eachOf(geometry, r => `    let w${u}_${r} = ${gather(u, r)};`))}
${each(u => `    var p${u} = ${Array.from({ length: geometry.each }, (_, r) => `dot(own${r}, w${u}_${r})`).join(' + ')};`)}
${each(u => `    ${overLanes(geometry, `p${u}`)}`)}
${each(
  u => `    let possible${u} = p${u} > 0.0;
    let q${u} = select(0.0, y${u} / p${u}, possible${u});
${eachOf(geometry, r => `    sum${r} += q${u} * w${u}_${r};`)}
${withLog ? `    logs0 += select(0.0, y${u} * log(p${u}), possible${u});\n    impossible += select(y${u}, 0.0, possible${u});` : ''}`,
)}
  }
  if (live) {
    let to = segment.w * ${stride}u + lane;
${eachOf(geometry, r => `    sums[to + ${r * lanes}u] = sum${r} * own${r};`)}
${withLog ? '    if (lane == 0u) { logs[job.y + group] = vec2f(logs0, impossible); }' : ''}
  }
}`
}

/** Modes after which products are brought back to a size that single precision holds. */
const RESCALED = 4

/**
 * The posteriors of cells, times their values, where there are many modes: written down once, to be summed by every mode.
 * Products of many small numbers are kept in range by powers of two.
 */
export const posteriorShader = (geometry: Geometry, modes: number): string => {
  const { lanes, stride } = geometry
  const width = modes + 1
  const blocks = Math.ceil(modes / RESCALED)
  return `${heading(geometry)}
@group(0) @binding(0) var<storage, read> table: array<vec4f>;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(3) var<storage, read> shares: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> posteriors: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> logs: array<vec2f>;
@group(0) @binding(6) var<uniform> job: vec4u;

@compute @workgroup_size(${WORKGROUP})
fn main(${BUILTINS}) {
  ${whichGroup(geometry)}
  let live = group < job.x;
  let cell = min(group, job.x - 1u);
  let at = cell * ${width}u;
  let y = bitcast<f32>(cells[at + ${modes}u]);
${eachOf(geometry, r => `  var w${r} = shares[${r * lanes}u + lane];`)}
  var exponent = 0;
  for (var b = 0u; b < ${blocks}u; b++) {
    let end = min(${modes}u, (b + 1u) * ${RESCALED}u);
    for (var m = b * ${RESCALED}u; m < end; m++) {
      let row = cells[at + m] * ${stride}u + lane;
${eachOf(geometry, r => `      w${r} *= table[row + ${r * lanes}u];`)}
    }
    var most = 0.0;
${eachOf(geometry, r => `    most = max(most, max(max(w${r}.x, w${r}.y), max(w${r}.z, w${r}.w)));`)}
    ${largestOverLanes(geometry, 'most')}
    // Its exponent, which frexp would give.
    let power = select(0, i32((bitcast<u32>(most) >> 23u) & 255u) - 127, most > 1e-37);
    exponent += power;
    let scale = bitcast<f32>(u32(127 - power) << 23u);
${eachOf(geometry, r => `    w${r} *= scale;`)}
  }
  var p = ${Array.from({ length: geometry.each }, (_, r) => `dot(w${r}, vec4f(1.0))`).join(' + ')};
  ${overLanes(geometry, 'p')}
  let possible = p > 0.0;
  let q = select(0.0, y / p, possible);
  if (live) {
    let to = cell * ${stride}u + lane;
${eachOf(geometry, r => `    posteriors[to + ${r * lanes}u] = q * w${r};`)}
    if (lane == 0u) {
      logs[job.y + cell] = vec2f(select(0.0, y * (log(p) + f32(exponent) * 0.6931471805599453), possible), select(y, 0.0, possible));
    }
  }
}`
}

/** One mode of a pass, where there are many: sums the posteriors of a segment's cells. */
export const gatherShader = (geometry: Geometry): string => {
  const { lanes, stride } = geometry
  return `
@group(0) @binding(0) var<storage, read> posteriors: array<vec4f>;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(6) var<uniform> job: vec4u;

@compute @workgroup_size(${WORKGROUP})
fn main(${BUILTINS}) {
  ${whichGroup(geometry)}
  if (group >= job.x) { return; }
  let segment = segments[group];
${eachOf(geometry, r => `  var sum${r} = vec4f(0.0);`)}
  for (var i = 0u; i < segment.y; i++) {
    let source = cells[segment.x + i] * ${stride}u + lane;
${eachOf(geometry, r => `    sum${r} += posteriors[source + ${r * lanes}u];`)}
  }
  let to = segment.w * ${stride}u + lane;
${eachOf(geometry, r => `  sums[to + ${r * lanes}u] = sum${r};`)}
}`
}
