/**
 * Where the kernels of linked rows find what they work on: byte offsets into one small record in WebAssembly memory, read by the kernels (which import this
 * file too). All are 32-bit pointers or numbers. A row has one 64-bit float for each class, padded to an even number.
 */

/** Bytes of a row of classes, and of a row of states: the classes, and once more those of persons who never change. */
export const ROW = 0
export const STATE_ROW = 4
/** How many cells there are: the row after the last is that of a wave without answers. */
export const CELLS = 8
/** P[row | class] of every cell, and the exponent of each as a 32-bit number. */
export const WEIGHTS = 12
export const EXPONENTS = 16
/** The posteriors of every cell. */
export const SUMS = 20
/** How many modes there are, and for each three words: its table, its statistics and its column of labels. */
export const MODES = 24
export const COLUMNS = 28
/** The statistics of the classes. */
export const SIZES = 32

/** Of chains: how many waves, and for every block of persons how many are in each. */
export const WAVES = 36
export const PRESENT = 40
/** Where the rows of each block begin. */
export const BLOCK_ROWS = 44
/** The cell of every row: block by block, in each wave by wave, in each the persons in order. */
export const ROW_CELLS = 48
/** The table of transitions of every row, or of every wave if this is 0. */
export const ROW_MOVES = 52
export const WAVE_MOVES = 56
/** The initial sizes of every person, or 0 if all have the same. */
export const PERSON_STARTS = 60
/** The tables: initial sizes and their expected counts; transitions, the same with rows and columns changed, and what their counts are made of. */
export const STARTS = 64
export const START_COUNTS = 68
export const MOVES = 72
export const TURNED = 76
export const MOVE_COUNTS = 80
/** The weight of every person as a 64-bit float; the log-likelihoods, which the kernel writes. */
export const PERSON_WEIGHTS = 84
export const LOGS = 88
/** Rows of a block: what is known up to a wave, and the factor that it was multiplied by. */
export const FORWARD = 92
export const LIFTS = 96
/** Rows of a block: what is known from a wave on. */
export const BACKWARD = 100
/** Numbers of a block: the exponent of each person, and the last sum. */
export const SHIFTS = 104
export const LAST = 108
/** A row of states. */
export const NEXT = 112
/** The posteriors of every row, times the person's weight; 0 if they are not wanted. */
export const POSTERIORS = 116
/** The posterior of every person never to change, times the weight. */
export const STAYING = 120

/** Of groups: bytes of a row of group classes. */
export const GROUP_ROW = 124
/** Where the rows of each group begin, and those of the last end; the kind and the count (a 64-bit float) of each. */
export const GROUP_STARTS = 128
export const KINDS = 132
export const COUNTS = 136
/** The logarithms of the likelihoods of every kind of member by group class; what each adds to the exponent. */
export const KIND_LOGS = 140
export const KIND_MASSES = 144
/** For every group: its logarithms, then its posteriors times its weight. */
export const GROUPS = 148
/** The exponent of every group as a 64-bit float. */
export const GROUP_SHIFTS = 152

export const BYTES = 160

/** How many persons are in a block: what is known of them up to each wave stays in the first cache. */
export const PERSONS = 64
