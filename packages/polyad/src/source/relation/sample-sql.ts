import { SAMPLE } from '../../table/view/view.ts'
import type { Relation } from './relation.ts'

/** SQL of the rows that are looked at to learn what the columns are like. */
export const sampleOf = ({ from }: Pick<Relation, 'from'>): string => `(SELECT * FROM ${from} LIMIT ${SAMPLE})`
