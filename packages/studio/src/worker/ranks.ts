import type { FitRequest } from './protocol.ts'

/** The numbers of classes of a request. Where several are asked for with covariates, one is not among them: it has nothing to explain. */
export const ranksOf = ({
  from,
  to,
  covariates,
}: Pick<FitRequest, 'from' | 'to' | 'covariates'>): readonly number[] => {
  const ranks = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  return covariates.length > 0 && ranks.length > 1 ? ranks.filter(rank => rank > 1) : ranks
}
