import { BLOCKS, blockKernel, eachRow, overRows, rowsAtOnce, TILE } from './blocks.ts'
import type { Geometry } from './geometry.ts'

// What a step does with whole arrays of parameters. A point has its values and EM's update of them side by side: vector i of the
// values is at 2i, of the update at 2i + 1. A pair likewise: the step, and the change of the gradient; all pairs are one array.

/** How many pairs an invocation has the inner products of at once. */
export const PAIRS_AT_ONCE = 4

/** The most pairs: what there is room for among the numbers of a kernel. */
export const MOST_PAIRS = 24

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = '0.001'

/** The negative gradient of the loss by the root of a parameter, per 4M; none at zero. */
const SLOPE = `
fn slopeOf(value: vec4f, update: vec4f, mass: vec4f) -> vec4f {
  let root = sqrt(value);
  return select(vec4f(0.0), (update - value) / (2.0 * max(root, vec4f(1e-30))) * mass, value > vec4f(0.0));
}`

/**
 * Makes the table of a pass from the values of a point, divided by their column sums first where they were stepped to. A row of the table is
 * that of the values over the label's part of the data, brought to a largest entry of 1; the logarithm of what it was is added up.
 */
export const prepareShader = (geometry: Geometry, divided: boolean): string => `
${TILE}
@group(0) @binding(0) var<storage, read_write> point: array<vec4f>;
@group(0) @binding(1) var<storage, read> columns: array<vec4f>;
@group(0) @binding(2) var<storage, read> labels: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> table: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logs: array<vec2f>;
${BLOCKS(5)}
@group(0) @binding(6) var<uniform> job: vec4u;
${blockKernel(
  geometry,
  `let column = columns[(job.y + block.z) * ${geometry.stride}u + c];
  let divisor = select(vec4f(1.0), column, column > vec4f(0.0));
  var total = 0.0;
  let rounds = (block.y + ${rowsAtOnce(geometry) - 1}u) / ${rowsAtOnce(geometry)}u;
  for (var round = 0u; round < rounds; round++) {
    let r = round * ${rowsAtOnce(geometry)}u + first;
    let inside = r < end;
    let row = block.x + min(r, block.y - 1u);
    let i = row * ${geometry.stride}u + c;
    let value = point[2u * i]${divided ? ' / divisor' : ''};
    let label = labels[row];
    let lifted = value * label.x;
    workgroupBarrier();
    tile[t] = lifted;
    workgroupBarrier();
    var most = vec4f(0.0);
    for (var k = 0u; k < ${geometry.stride}u; k++) { most = max(most, tile[min(first * ${geometry.stride}u + k, 255u)]); }
    let largest = max(max(most.x, most.y), max(most.z, most.w));
    let scale = select(0.0, 1.0 / largest, largest > 0.0);
    if (inside) {
      ${divided ? 'point[2u * i] = value;' : ''}
      table[i] = lifted * scale;
      total += select(0.0, label.y * log(largest), largest > 0.0);
    }
  }
  ${overRows(geometry, 'vec4f(total, 0.0, 0.0, 0.0)', sum => `if (c == 0u) { logs[job.z + b] = vec2f(${sum}.x, 0.0); }`)}`,
)}`

/** The M-step, and what a step from another point has changed: the update, the gradient, and the new pair. */
export const learnShader = (geometry: Geometry, first: boolean): string => `
${SLOPE}
@group(0) @binding(0) var<storage, read> sums: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> point: array<vec4f>;
${first ? '' : '@group(0) @binding(2) var<storage, read> before: array<vec4f>;'}
@group(0) @binding(3) var<storage, read> columns: array<vec4f>;
${first ? '' : '@group(0) @binding(4) var<storage, read_write> pairs: array<vec4f>;'}
@group(0) @binding(5) var<storage, read_write> gradient: array<vec4f>;
${BLOCKS(6)}
struct Job { blocks: u32, columns: u32, columnsBefore: u32, pair: u32, perTotal: f32 }
@group(0) @binding(7) var<uniform> task: Job;
${blockKernel(
  geometry,
  `let column = columns[(task.columns + block.z) * ${geometry.stride}u + c];
  let mass = column * task.perTotal;
  ${first ? '' : `let massBefore = columns[(task.columnsBefore + block.z) * ${geometry.stride}u + c] * task.perTotal;`}
  ${eachRow(
    geometry,
    `let value = point[2u * i];
    let update = select(value, sums[i] / column, column > vec4f(0.0));
    point[2u * i + 1u] = update;
    let slope = slopeOf(value, update, mass);
    gradient[i] = slope;
    ${
      first
        ? ''
        : `let valueBefore = before[2u * i];
    pairs[task.pair + 2u * i] = sqrt(value) - sqrt(valueBefore);
    pairs[task.pair + 2u * i + 1u] = slopeOf(valueBefore, before[2u * i + 1u], massBefore) - slope;`
    }`,
  )}`,
  'task.blocks',
)}`

/** The inner products of a new pair and the gradient among each other, for each class. */
export const OWN_DOTS = ['s * s', 's * y', 's * g', 'y * y', 'y * g', 'g * g']
/** Those of an older pair with them. */
export const PAIR_DOTS = ['a * g', 'z * g', 'a * s', 'a * y', 'z * s', 'z * y']

const PAIR_LIST = `array<vec4u, ${MOST_PAIRS / 4}>`
const FACTORS = `array<vec4f, ${MOST_PAIRS / 4}>`

/** The inner products of the new pair and the gradient among each other, or with some of the older pairs. */
export const dotShader = (geometry: Geometry, own: boolean): string => {
  const { stride } = geometry
  const list = own ? [] : Array.from({ length: PAIRS_AT_ONCE }, (_, j) => j)
  const dots = own ? OWN_DOTS : list.flatMap(() => PAIR_DOTS)
  const first = own ? '0u' : `${OWN_DOTS.length}u + part * ${dots.length}u`
  const out = (q: number, sum: string) => `dots[((${first} + ${q}u) * task.blocks + b) * ${stride}u + c] = ${sum};`
  return `
${TILE}
@group(0) @binding(0) var<storage, read> pairs: array<vec4f>;
@group(0) @binding(1) var<storage, read> gradient: array<vec4f>;
${BLOCKS(2)}
@group(0) @binding(3) var<storage, read_write> dots: array<vec4f>;
struct Job { blocks: u32, pair: u32, a: u32, parts: u32, b: vec4u, others: ${PAIR_LIST} }
@group(0) @binding(4) var<uniform> task: Job;
${blockKernel(
  geometry,
  `${dots.map((_, q) => `var d${q} = vec4f(0.0);`).join(' ')}
  ${own ? '' : 'let others = task.others[part];'}
  ${eachRow(
    geometry,
    `let s = pairs[task.pair + 2u * i]; let y = pairs[task.pair + 2u * i + 1u]; let g = gradient[i];
    ${
      own
        ? OWN_DOTS.map((dot, q) => `d${q} += ${dot};`).join(' ')
        : list
            .map(
              j =>
                `{ let a = pairs[others[${j}] + 2u * i]; let z = pairs[others[${j}] + 2u * i + 1u]; ${PAIR_DOTS.map((dot, q) => `d${6 * j + q} += ${dot};`).join(' ')} }`,
            )
            .join('\n    ')
    }`,
  )}
  ${dots.map((_, q) => overRows(geometry, `d${q}`, sum => out(q, sum))).join('')}`,
  'task.blocks',
  'task.parts',
)}`
}

/**
 * values = (roots + length · direction)², but not below a part of the update at its start; and their column sums. The direction is the gradient and
 * the changes, by their factors, in the metric of the point, and the steps by theirs.
 */
export const walkShader = (geometry: Geometry): string => `
${TILE}
${SLOPE}
@group(0) @binding(0) var<storage, read> before: array<vec4f>;
@group(0) @binding(1) var<storage, read> pairs: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> point: array<vec4f>;
${BLOCKS(3)}
@group(0) @binding(4) var<storage, read_write> columns: array<vec4f>;
@group(0) @binding(5) var<storage, read> metric: array<vec4f>;
struct Job { blocks: u32, columns: u32, columnsBefore: u32, used: u32, perTotal: f32, length: f32, a: f32, b: f32, others: ${PAIR_LIST}, changes: ${FACTORS}, steps: ${FACTORS} }
@group(0) @binding(6) var<uniform> task: Job;
${blockKernel(
  geometry,
  `let mass = columns[(task.columnsBefore + block.z) * ${geometry.stride}u + c] * task.perTotal;
  let inverse = metric[c];
  var total = vec4f(0.0);
  ${eachRow(
    geometry,
    `let start = before[2u * i];
    let update = before[2u * i + 1u];
    var gathered = slopeOf(start, update, mass);
    var steps = vec4f(0.0);
    for (var j = 0u; j < task.used; j++) {
      let at = task.others[j / 4u][j % 4u] + 2u * i;
      gathered += task.changes[j / 4u][j % 4u] * pairs[at + 1u];
      steps += task.steps[j / 4u][j % 4u] * pairs[at];
    }
    let root = sqrt(start) + task.length * (gathered * inverse + steps);
    let value = max(root * root, ${FLOOR} * update);
    point[2u * i] = value;
    total += value;`,
  )}
  ${overRows(geometry, 'total', sum => `columns[(task.columns + b) * ${geometry.stride}u + c] = ${sum};`)}`,
  'task.blocks',
)}`

/** EM's own step: the values become the update of another point. */
export const followShader = (geometry: Geometry): string => `
@group(0) @binding(0) var<storage, read> before: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> point: array<vec4f>;
${BLOCKS(2)}
@group(0) @binding(3) var<uniform> job: vec4u;
${blockKernel(geometry, eachRow(geometry, 'point[2u * i] = before[2u * i + 1u];'))}`

/** The values of a point by themselves. */
export const valuesShader = (geometry: Geometry): string => `
@group(0) @binding(0) var<storage, read> point: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> values: array<vec4f>;
${BLOCKS(2)}
@group(0) @binding(3) var<uniform> job: vec4u;
${blockKernel(geometry, eachRow(geometry, 'values[i] = point[2u * i];'))}`

/** How far the values of every block are from satisfying the Karush–Kuhn–Tucker conditions. */
export const residualShader = (geometry: Geometry): string => `
${TILE}
@group(0) @binding(0) var<storage, read> point: array<vec4f>;
@group(0) @binding(1) var<storage, read> columns: array<vec4f>;
${BLOCKS(2)}
@group(0) @binding(3) var<storage, read_write> dots: array<vec4f>;
struct Job { blocks: u32, columns: u32, a: u32, b: u32, perTotal: f32 }
@group(0) @binding(4) var<uniform> task: Job;
${blockKernel(
  geometry,
  `let mass = columns[(task.columns + block.z) * ${geometry.stride}u + c] * task.perTotal;
  var worst = vec4f(0.0);
  ${eachRow(
    geometry,
    `let value = point[2u * i];
    let slope = mass * (1.0 - point[2u * i + 1u] / max(value, vec4f(1e-37)));
    worst = max(worst, select(vec4f(0.0), abs(min(value, slope)), value > vec4f(1e-37)));`,
  )}
  workgroupBarrier();
  tile[t] = worst;
  workgroupBarrier();
  if (first == 0u) {
    for (var r = 1u; r < ${rowsAtOnce(geometry)}u; r++) { worst = max(worst, tile[r * ${geometry.stride}u + c]); }
    dots[b * ${geometry.stride}u + c] = worst;
  }`,
  'task.blocks',
)}`
