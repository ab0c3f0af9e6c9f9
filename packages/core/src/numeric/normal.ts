/**
 * The standard normal distribution, the same bits on every machine: only what IEEE 754 fixes, and our own exponential function and
 * logarithm. Rational approximations of Cody (1969) for the tail, and of Wichura (1988, AS 241) for the quantile.
 */

import { exp } from './exp.ts'
import { log } from './log.ts'

const PER_ROOT_TWO_PI = 0.3989422804014327

/**
 * The density of the standard normal distribution.
 * @example
 * normalDensity(0) // 0.39894
 */
export const normalDensity = (z: number): number => PER_ROOT_TWO_PI * exp(-0.5 * z * z)

/** Below this, Φ(z) − ½ is approximated in place of the tail. */
const CENTRE = 0.67448975
/** √32: beyond this, the approximation is one in 1/z². */
const FAR = 5.656854249492381

/**
 * P[Z > z], with the precision of a double also far from the middle; 0 above 38.
 * @example
 * normalTail(1.959964) // 0.025
 */
export const normalTail = (z: number): number => {
  const x = Math.abs(z)
  if (x <= CENTRE) {
    const y = x * x
    const above =
      (((0.06568233791820745 * y + 2.2352520354606837) * y + 161.02823106855587) * y + 1067.689485460371) * y +
      18154.98125334356
    const below = (((y + 47.202581904688245) * y + 976.0985517377767) * y + 10260.932208618979) * y + 45507.78933502673
    return 0.5 - (z * above) / below
  }
  if (!(x < 39)) return Number.isNaN(x) ? x : z > 0 ? 0 : 1
  // In two parts, since the rounding of z² would become an error of the power: sixteenths of z have exact squares.
  const whole = Math.trunc(x * 16) / 16
  const power = exp(-0.5 * whole * whole) * exp(-0.5 * (x - whole) * (x + whole))
  const tail = power * normalTailRatio(x)
  return z > 0 ? tail : 1 - tail
}

/**
 * P[Z > x] / e^(−x²/2) for x ≥ 0.68, which falls slowly.
 * @example
 * normalTailRatio(10) // 0.03951
 */
export const normalTailRatio = (x: number): number => (x <= FAR ? middleRatio(x) : farRatio(x))

const middleRatio = (x: number): number => {
  let above = 1.0765576773720192e-8 * x + 0.39894151208813466
  above = (((above * x + 8.883149794388375) * x + 93.50665613217785) * x + 597.2702763948002) * x
  above = (((above + 2494.5375852903726) * x + 6848.190450536283) * x + 11602.65143764735) * x + 9842.714838383978
  let below = (((x + 22.266688044328117) * x + 235.387901782625) * x + 1519.3775994075547) * x
  below = (((below + 6485.558298266761) * x + 18615.571640885097) * x + 34900.95272114598) * x
  below = (below + 38912.00328609327) * x + 19685.429676859992
  return above / below
}

const farRatio = (x: number): number => {
  const y = 1 / (x * x)
  let above = (0.023073441764940174 * y + 0.215898534057957) * y + 0.12740116116024736
  above = ((above * y + 0.022235277870649807) * y + 0.0014216191932278934) * y + 2.9112874951168793e-5
  let below = ((y + 1.284260096144911) * y + 0.4682382124808651) * y + 0.06598813786892856
  below = (below * y + 0.0037823963320275824) * y + 7.297515550839662e-5
  return (PER_ROOT_TWO_PI - (y * above) / below) / x
}

/** Numerators and denominators, lowest power first. */
const MIDDLE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
] as const
const OUTER = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const
const FAR_OUT = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const

const ratio = ([above, below]: readonly [readonly number[], readonly number[]], x: number): number => {
  let [over, under] = [above[7], below[7]]
  for (let i = 6; i >= 0; i--) [over, under] = [over * x + above[i], under * x + below[i]]
  return over / under
}

/**
 * The z that a standard normal variable is below with probability p.
 * @example
 * normalQuantile(0.975) // 1.9600
 */
export const normalQuantile = (p: number): number => {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * ratio(MIDDLE, 0.180625 - q * q)
  const tail = q < 0 ? p : 1 - p
  if (!(tail > 0)) return tail === 0 ? q * Number.POSITIVE_INFINITY : Number.NaN
  const r = Math.sqrt(-log(tail))
  const z = r <= 5 ? ratio(OUTER, r - 1.6) : ratio(FAR_OUT, r - 5)
  return q < 0 ? -z : z
}
