/**
 * Where the kernels find what they work on: byte offsets into one small record in WebAssembly memory, read by the kernels
 * (which import this file too) and written by the session. All are 32-bit pointers or numbers unless said otherwise.
 */

/** Buffer for the m (a cell's probability) of every cell of one block. */
export const MEANS = 0
/** Vectors of the tree's levels: the product of the weights and the factors down to a level. The first holds the shares. */
export const PRODUCTS = 4
/** Vectors of the tree's levels: the class masses of the cells below a node. The first ends as the weights' statistics. */
export const MASSES = 8
/** How many modes the tree has above the leaves. At least 1. */
export const DEPTH = 12
/** The open nodes' words, one per level. */
export const MARKS = 16
/** Bytes of one row of a table: 8 × the padded rank. */
export const ROW = 20
/** 64-bit float: an m below this is not trusted, and its cell is done again with care. */
export const TINY = 24
/** How many modes a leaf holds. At least 1. */
export const SUFFIX = 32
/** Scratch for one vector. */
export const SCRATCH = 36
/** Scratch for one vector of exponents. */
export const EXPONENTS = 40
/** Where each block's words begin (32-bit words from the first), one per block. */
export const BLOCKS = 44
/** The words of all blocks. */
export const WORDS = 48
/** The values of all cells. */
export const VALUES = 52
/** For every block one byte: what its values are like. */
export const KINDS = 56
/** How many cells there are in all blocks. */
export const CELLS = 60
/** Four words for every table of factors: where it lies and, for a pair, its left table, its right table and its rows (else 0). */
export const TABLES = 64
/** The number of each column's table; −1 stands for a table of ones. */
export const TABLE_OF_COLUMN = 68
/** 64-bit float: the same as `TINY` in single precision. */
export const SINGLE_TINY = 72
/** How many columns of a leaf are multiplied before its product is looked at: all of them, unless products of so many would underflow. */
export const STRETCH = 80
/** Pairs of pointers, one pair for each column of the layout: its factor table, its statistics table. */
export const COLUMNS = 88

/**
 * Kinds of blocks: any values, nearly all 1, whole numbers nearly all below 4, or whole numbers nearly all below 16. The
 * log-likelihood has a way for each.
 */
export const ANY = 0
export const ONES = 1
export const TWO_BITS = 2
export const FOUR_BITS = 3

/** Cells of a block; the last of a lane may have fewer. */
export const BLOCK_CELLS = 512

/** The bit of a word that says: the last of its siblings. */
export const LAST = 0x80000000
