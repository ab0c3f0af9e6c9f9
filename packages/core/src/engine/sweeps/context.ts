/**
 * Where the sweeps find what they work on: byte offsets into one small record at the bottom of their memory, read by the kernels
 * (which import this file too). All are 32-bit pointers or numbers unless said otherwise. A pattern is two rows of one number per
 * class, the same twice: so it can be gone through two numbers at a time, whatever the rank.
 */

/** Bytes of a pattern. */
export const PATTERN = 0
/** How many pairs of steps and changes of the gradient there are. */
export const USED = 4
/** Four numbers for each block: where it begins and ends in bytes, and its first segment and the one after its last. */
export const BLOCKS = 8
/** Four numbers for each segment, which is the part of a mode that lies in a block: begin, end, mode (the shares are 0), nothing. */
export const SEGMENTS = 12
/** What a sweep finds in each block, one row of 64-bit floats after the other. */
export const FOUND = 16
/** Bytes of such a row. */
export const FOUND_ROW = 20
/** For each segment a pattern: the sums of its columns. */
export const COLUMNS = 24
/** For each mode a pattern: the part of the data in which it is present and the class holds. */
export const MASSES = 28
/** For each mode a pattern: what its columns are divided by. */
export const DIVISORS = 32
/** For each mode a 64-bit float: what is added to its statistics. */
export const ADDED = 36
/** Two patterns, that of the shares and that of all modes: the metric, and what a gradient is multiplied by to be a step. */
export const METRIC = 40
export const INVERSE = 44
/** Pointers for each pair: to its step, and to its change. */
export const PAIRS = 48
/** 64-bit floats for each pair: what is to be added of it. */
export const FACTORS = 52
/** The arrays of all parameters. */
export const VALUES = 56
export const UPDATE = 60
export const PREVIOUS = 64
export const STATISTICS = 68
export const ROOTS = 72
export const GRADIENT = 76
export const DIRECTION = 80
export const STEP = 84
export const CHANGE = 88
/** 64-bit float: how far to go along the direction. */
export const LENGTH = 96
/** The job of a sweep that threads share, how many of its chunks nobody has taken yet, and how many are done. */
export const JOB = 104
export const LEFT = 108
export const DONE = 112
export const BLOCK_COUNT = 116
export const BYTES = 128

/** How many blocks a thread takes at once. */
export const CHUNK = 32

/** What can be done in a sweep. */
export const GATHER = 0
export const MAXIMIZE = 1
export const RECORD_STEP = 2
export const ADD_CHANGES = 3
export const ADD_STEPS = 4
export const STEP_ALONG = 5
export const DIVIDE = 6
