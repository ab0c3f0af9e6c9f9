import { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { marginals } from '../../tensor/marginals.ts'
import type { Tensor } from '../../tensor/tensor.ts'

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
 */
export const principalComponent = (tensor: Tensor): Model => new Model(tensor.modes, principalParameters(tensor))

export const principalParameters = (tensor: Tensor): Parameters => ({
  rank: 1,
  weights: Float64Array.of(tensor.total),
  factors: marginals(tensor).map(marginal => {
    const sum = marginal.reduce((total, value) => total + value, 0)
    return sum > 0 ? marginal.map(value => value / sum) : marginal.fill(1 / marginal.length)
  }),
})
