import type { DescribedModel, DescribedModels } from '../../worker/protocol.ts'

/** A label of a mode, by their places. */
export interface LabelPlace {
  readonly mode: number
  readonly label: number
}

/** What a model says of a label. */
export interface LabelFigures {
  readonly mode: string
  readonly label: string
  /** P[label] over all classes. */
  readonly overall: number
  readonly classes: readonly {
    /** P[label | class]. */
    readonly probability: number
    /** P[class | label]; null where the label never occurs. */
    readonly posterior: number | null
    /** How many times as frequent in the class as overall; null where the label never occurs. */
    readonly lift: number | null
  }[]
}

export const labelFigures = (
  { modes }: Pick<DescribedModels, 'modes'>,
  { factors, marginals, shares, rank }: DescribedModel,
  { mode, label }: LabelPlace,
): LabelFigures => {
  const overall = marginals[mode][label]
  return {
    mode: modes[mode].name,
    label: modes[mode].labels[label],
    overall,
    classes: shares.map((share, k) => {
      const probability = factors[mode][label * rank + k]
      return {
        probability,
        posterior: overall > 0 ? (share * probability) / overall : null,
        lift: overall > 0 ? probability / overall : null,
      }
    }),
  }
}

/** A label of a list, with the class that it indicates most. */
export interface ListedLabel extends LabelPlace {
  readonly name: string
  readonly of: string
  readonly overall: number
  /** The class that is most probable given the label, and how probable. */
  readonly class: number
  readonly posterior: number
}

/** Categories whose text, or whose mode's, holds all the words that are looked for; the most frequent of a mode first. */
export const findLabels = ({ modes }: DescribedModels, model: DescribedModel, text: string): ListedLabel[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const { rank, shares, factors, marginals } = model
  return modes.flatMap(({ name: of, labels, number }, mode) => {
    if (number) return []
    const found: ListedLabel[] = []
    labels.forEach((name, label) => {
      const searched = `${of} ${name}`.toLowerCase()
      if (!words.every(word => searched.includes(word))) return
      const overall = marginals[mode][label]
      let [best, most] = [0, -1]
      for (let k = 0; k < rank; k++) {
        const joint = shares[k] * factors[mode][label * rank + k]
        if (joint > most) [best, most] = [k, joint]
      }
      found.push({ mode, label, name, of, overall, class: best, posterior: overall > 0 ? most / overall : 0 })
    })
    return modes[mode].ordered ? found : found.sort((a, b) => b.overall - a.overall || a.label - b.label)
  })
}
