import type { Statement } from './connection.ts'

/**
 * A dialect is SQL text and nothing else: how the engine's statements are written for a database, and which of its servers they are for. The engine (`session.ts`) decides
 * what is asked and in what order; a connection carries it. What every dialect must give is in this file.
 *
 * Codes. In working tables the code of a label is its position from 1; 0 is a missing entry. A factor table has a row for every code
 * from 0 on. The row of 0 is neutral, so that a plain join serves cells with missing entries too, and the shares are multiplied into
 * the factors of the first mode, so that no statement mentions them.
 */

/** A column of rows from which a mode is made. */
export interface KeyedMode {
  /** SQL of what tells labels apart: a text, or a number where the dictionary's labels are numbers. NULL where missing. */
  readonly key: string
  /** The name of a sent table with the columns `label` and `code` (INTEGER); labels without a row there have code `unseen`. */
  readonly dictionary: string
  /** The code of NULL: 0, or that of a label that stands for missing values. */
  readonly missing: number
  /** The code of a label that the dictionary lacks: 0, or that of a label for all others. */
  readonly unseen: number
}

/** Cells to be counted from rows. */
export interface CellsPlan {
  /** The table to be made, as SQL: columns `c0`, `c1`, … (codes) and `v` (DOUBLE, above 0). Cells without any label are left out. */
  readonly table: string
  /** The rows: whatever may stand after FROM. */
  readonly from: string
  readonly modes: readonly KeyedMode[]
  /** How many labels each mode has: `codeBits` says how wide its codes are. */
  readonly shape: readonly number[]
  /** SQL of how often a row was seen, a DOUBLE; undefined where every row counts once. */
  readonly weight: string | undefined
}

/** What a pass is made of. */
export interface ScanPlan {
  /** The table of cells, as SQL. */
  readonly table: string
  /** How many labels each mode has: codes go up to this. */
  readonly shape: readonly number[]
  /** For each mode the place of its code 0: places are codes of all modes one after the other. */
  readonly offsets: readonly number[]
  /**
   * The ranks of the models whose passes share this scan. Factors are sent as tables `f0`, `f1`, … by mode: columns `code` (every
   * code from 0, of the same type as in the cells) and `f`, as wide as all ranks together, the models side by side. Where there are more
   * modes than `mostTables`, in one table `f` instead, whose column `code` (INTEGER) has places.
   */
  readonly ranks: readonly number[]
  /**
   * Whether the factors are logarithms (−Infinity for 0): then weights are exp of their sums, less the largest of a cell and model.
   * Else they are numbers from 0 to 1, to be multiplied.
   */
  readonly logarithms: boolean
}

/** Rows to be given their classes. */
export interface ScorePlan {
  /** The table to be made, as SQL. */
  readonly into: string
  readonly from: string
  readonly modes: readonly KeyedMode[]
  /** How many labels each mode has. */
  readonly shape: readonly number[]
  /** The factors are sent as logarithms of one model in tables `f0`, `f1`, …, as for a scan, however many modes there are. */
  readonly rank: number
  /** The shares of the classes: the posterior of a row that is impossible, whose log-likelihood is −Infinity. */
  readonly shares: readonly number[]
  /** SQL of what each class is called. */
  readonly classes: readonly string[]
  /** Names (not yet quoted) of the columns that are added; of no two alike, nor like one of the rows. */
  readonly columns: { readonly class: string; readonly probability: string; readonly logLikelihood: string }
  /** Names of the columns of posteriors; empty where they are not wanted. */
  readonly posteriors: readonly string[]
}

/** Rows whose missing entries are to be filled with the most probable label, the first of several. */
export interface ImputePlan {
  readonly into: string
  readonly from: string
  readonly modes: readonly KeyedMode[]
  /** The column of each mode, not yet quoted, in which NULL (of the mode's key, not a label that was never seen) is filled, as text. */
  readonly columns: readonly string[]
  /** For each mode whether the rows lack its column, which is then added; its key is NULL. */
  readonly absent: readonly boolean[]
  readonly rank: number
  /** As in a `ScorePlan`. */
  readonly shares: readonly number[]
  /**
   * How many labels each mode has. Sent, beside the dictionaries and the factors as logarithms, for each mode a table `g0`, `g1`, …: `code`
   * (from 1), `g` (the factors themselves, as wide as the rank), `label` (text).
   */
  readonly shape: readonly number[]
}

/** Rows to be drawn from a model: the class by the shares, then in every mode a label by the class. */
export interface SamplePlan {
  readonly into: string
  readonly rows: number
  /** The same seed gives the same rows, whatever the number of threads. */
  readonly seed: number
  /** Names of the columns, not yet quoted. */
  readonly columns: readonly string[]
  /** The name of a first column with the class, where it is wanted, and SQL of what each class is called. */
  readonly class: string | undefined
  readonly classes: readonly string[]
  /**
   * Sent tables: `d` with `class` (INTEGER from 0), `low` and `high`; and `d0`, `d1`, … by mode with `class`, `low`, `high`,
   * `label` (text): a uniform number in [low, high) falls to that class, and given a class to that label.
   */
  readonly rank: number
}

/** What a column is, for the choice of modes. */
export type ColumnKind = 'text' | 'whole' | 'number' | 'boolean' | 'date' | 'other'

export interface Dialect {
  readonly name: string
  /** A name or a text as SQL, whatever characters are in it. */
  identifier(name: string): string
  literal(text: string): string

  // --- A user's table

  /** Rows: name, type, of every column of what may stand after FROM. */
  describe(from: string): Statement
  kindOf(type: string): ColumnKind
  /** SQL of a column's value as text, NULL where it is missing: NULL, NaN or one of the texts. */
  text(column: string, type: string, missing: readonly string[]): string
  /** SQL of a text as a DOUBLE, NULL where it is none. */
  number(text: string): string
  /** Rows: label (text), the sum of the weights of its rows; for every value of a key but NULL. */
  labels(from: string, key: string, weight: string | undefined): Statement
  /** One row: rows, rows whose weight is NULL, infinite or below 0, rows in which every key is NULL (all DOUBLE). */
  check(from: string, keys: readonly string[], weight: string | undefined): Statement

  // --- Working tables

  /** Makes the table of cells; the dictionaries are sent along with every statement. */
  createCells(plan: CellsPlan): readonly Statement[]
  /** Makes the table of cells from a sent one called `cells` with the same columns. */
  keepCells(table: string, shape: readonly number[]): readonly Statement[]
  /** One row: how many cells, Σ v, Σ v·ln v, Σ ln Γ(v + 1) (all DOUBLE). */
  constants(table: string): Statement
  /** SQL of a table with the engine's own name, in the place where working tables are kept. */
  working(name: string): string
  drop(table: string): readonly Statement[]
  /** Rows: SQL of every working table there is (names that begin with the text). */
  leftovers(prefix: string): Statement

  // --- The pass

  /** With more modes than this, factors are sent as logarithms in one table. */
  readonly mostTables: number
  /** How many classes of several models are worth asking for in one statement over so many cells; a single model may have more. */
  mostClasses(cells: number): number
  /**
   * Rows, in any order: INTEGER place, then DOUBLEs: for all classes of all models Σ v·w_k/p over the cells with the label of that
   * place; for every model Σ v·ln p; and the number of cells. The last ones need be right for the first mode only, whose rows are
   * added up for the whole: its code 0 must be there where cells have it. Other rows of code 0, and places without cells, may be there
   * or not. With w the products (or exp of sums) of the factors of a cell and p = Σ w within a model: a cell with p < `TINY`
   * (logarithms: whose largest sum is −Infinity) makes Σ v·ln p of its model −Infinity; with logarithms it adds nothing to the other
   * sums, and ln p is the largest sum + ln Σ w. In place of −Infinity for products the statement may fail, if `underflow` tells.
   */
  scan(plan: ScanPlan): Statement
  /** Whether a statement failed, by its message, since a sum of products was 0. Then no smaller sum is an error: it has its digits, or makes sums infinite. */
  underflow?(message: string): boolean
  /**
   * Rows for one model, with logarithms: INTEGER a, then DOUBLEs: Σ v·w_b/p for every class b, Σ v·ln p, Σ v²/p. Each over the cells whose
   * most probable class (the first of several) is a. Impossible cells, where there are any, are one row a = −1.
   */
  measure(plan: ScanPlan): Statement
  /**
   * Rows for one model, with logarithms: INTEGER a ≥ INTEGER b, places of labels (not of code 0), or −1, which every cell has; then
   * Σ v·w_k·w_l/p² over the cells that have both, for l ≤ k: (0,0), (1,0), (1,1), (2,0), … . Where there are impossible cells,
   * one row a = −2, b = −2 whose first sum is Σ v over them; they add nothing else.
   */
  information?(plan: ScanPlan): Statement

  // --- Scoring: nothing comes out

  score(plan: ScorePlan): readonly Statement[]
  /**
   * Rows: INTEGER class from 0, then DOUBLEs: rows, Σ weight, Σ weight·probability, Σ weight·log-likelihood (of the rows that are possible), rows
   * that are impossible, and for each mode rows with a label that its dictionary lacks.
   */
  summary(plan: ScorePlan, weight: string | undefined): Statement
  impute(plan: ImputePlan): readonly Statement[]
  sample(plan: SamplePlan): readonly Statement[]
}

/** A sum of products below this may have lost digits to underflow: the engine then scans again with logarithms. */
export const TINY = 1e-280

/** What working tables are called: everything with this prefix is the engine's own. */
export const WORKING = 'polyad_run_'

/** The type of a mode's codes, in bits; of 8 and 16 without a sign, of 32 with. */
export const codeBits = (labels: number): 8 | 16 | 32 => (labels < 2 ** 8 ? 8 : labels < 2 ** 16 ? 16 : 32)
