import { describe, expect, it } from 'vitest'
import { modelFromJson, modelToJson } from '../../file/model-json.ts'
import { normal } from '../../model/items/choices.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { naiveBayes } from '../closed-form/naive-bayes.ts'
import { fit } from '../fit.ts'

const x = [1, 1, 1, 1.1, 1, 2.3, 2.9, 3.4, 3.1, 2.7, 4, 3.3]
const y = [5, 5.2, 5.1, 5, 5.3, 7.9, 8.4, 7.2, 8.8, 8.1, 7.7, 9]
const data = tensorFromRows(x.map((value, i) => ({ x: value, y: y[i] })))

/** The log-likelihood and the standard deviations of the larger class, then of the smaller, at the maximum of the posterior: SciPy 1.17, `minimize`. */
const FOUND = {
  free: [-81.9788438, [0.68159998, 0.58730367], [0.89887416, 0.84255519]],
  equal: [-79.68685842, [0.54702336], [0.72405783]],
} as const

describe('a prior on variances', () => {
  it.each(['free', 'equal'] as const)('is as many observations with the overall variance (%s)', async variances => {
    const item = normal({ step: 0.1, variances, prior: 2 })
    const { model, logLikelihood, loss, objective } = await fit(data, {
      rank: 2,
      items: { x: item, y: item },
      threads: 1,
    })
    const [expected, ...sds] = FOUND[variances]
    expect(logLikelihood).toBeCloseTo(expected, 6)
    expect(objective).toBeGreaterThan(loss)
    ;['x', 'y'].forEach((name, n) => {
      const own = model.itemParameters(name).flatMap(each => (each.name === 'sd' ? [each.value] : []))
      expect(own).toEqual(sds[n].map(sd => expect.closeTo(sd, 5)))
    })
    expect(modelFromJson(JSON.stringify(modelToJson(model))).items).toEqual(model.items)
  })

  it('of 0 is none', async () => {
    const [without, none] = await Promise.all(
      [normal({ step: 0.1 }), normal({ step: 0.1, prior: 0 })].map(item =>
        fit(data, { rank: 2, items: { x: item, y: item }, threads: 1, starts: 2 }),
      ),
    )
    expect(none.model.items).toEqual(without.model.items)
    expect(none.objective).toBe(none.loss)
  })

  it('enters the closed form of known classes', () => {
    const groups = tensorFromRows(y.map((value, i) => ({ y: value, kind: i < 5 ? 'a' : 'b' })))
    const { model } = naiveBayes(groups, { class: 'kind', items: { y: normal({ step: 0.001, prior: 3 }) } })
    const square = (values: readonly number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    }
    const found = model.itemParameters('y').filter(({ name }) => name === 'sd')
    for (const { value, class: k } of found) {
      const own = model.classNames![k!] === 'a' ? y.slice(0, 5) : y.slice(5)
      expect(value ** 2).toBeCloseTo((own.length * square(own) + 3 * square(y)) / (own.length + 3), 6)
    }
  })
})
