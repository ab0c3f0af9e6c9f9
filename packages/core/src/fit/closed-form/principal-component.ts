import { Model } from '../../model/model.ts'
import { componentsOf, type Parameters } from '../../model/parameters.ts'
import { type Counts, hasCells } from '../../tensor/tensor.ts'

/**
 * The KL principal component (Theorem 2): the best rank-one approximation, globally, in closed form.
 *
 * With missing entries it stays closed and global. Write Oₙ for the cells in which mode n is present and y⁽ⁿ⁾ for the
 * marginal over Oₙ alone. A cell's expectation is λ times the factors of its present modes, so the loss is
 *
 *   f = λ − M·log λ − Σₙ Σⱼ y⁽ⁿ⁾ⱼ · log p⁽ⁿ⁾ⱼ .
 *
 * It is a sum of one convex function per block of variables, so every block is minimized by itself. The first has its
 * minimum at λ = M. The n-th is the cross-entropy of y⁽ⁿ⁾ against p⁽ⁿ⁾ on the simplex, which by Gibbs' inequality is
 * least at p⁽ⁿ⁾ = y⁽ⁿ⁾/Σⱼ y⁽ⁿ⁾ⱼ and nowhere else. A mode present in no cell at all leaves the loss unchanged; its factor
 * is then uniform.
 * @example
 * const independent = principalComponent(answers)
 * independent.profile('vote', 0) // [0.38, 0.62]
 */
export const principalComponent = (counts: Counts): Model => {
  // A copy of a tensor is refused.
  hasCells(counts)
  return new Model(counts.modes, componentsOf(principalParameters(counts), counts.total))
}

export const principalParameters = ({ marginals }: Counts): Parameters => ({
  rank: 1,
  shares: Float64Array.of(1),
  factors: marginals.map(marginal => {
    const sum = marginal.reduce((total, value) => total + value, 0)
    return marginal.map(value => (sum > 0 ? value / sum : 1 / marginal.length))
  }),
})
