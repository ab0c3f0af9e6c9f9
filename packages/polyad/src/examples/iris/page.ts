import { escapeXml, FONT } from '@polyad/charts'
import { type IrisExperiment, LOWEST_KNOWN, type Unsupervised } from './experiment.ts'
import { widthOf } from './figure.ts'

/** A page of its own with the figure and its numbers; nothing is loaded from elsewhere. */
export const irisPage = (experiment: IrisExperiment, figure: string): string => {
  const { supervised, unsupervised, smoothed, normal, species } = experiment
  const { result } = unsupervised
  const rows: [string, string][] = [
    ['Species known: classifies its own flowers', supervised.agreement.toFixed(3)],
    ['Species hidden: agreement with the species', unsupervised.agreement.toFixed(3)],
    ['Lowest loss found', result.loss.toFixed(4)],
    ['Lowest known before', String(LOWEST_KNOWN)],
    ['With smoothing: agreement with the species', smoothed.agreement.toFixed(3)],
    ['Smoothing width, chosen by the held-out likelihood', `${widthOf(smoothed)} bins`],
    ['With normal distributions: agreement with the species', normal.agreement.toFixed(3)],
  ]
  const confusionOf = ({ order, confusion, model }: Unsupervised, caption: string): string => {
    const header = order.map(k => `<th>class ${k + 1}</th>`).join('')
    const lines = species.map(
      (name, i) => `<tr><th>${escapeXml(name)}</th>${confusion[i].map(n => `<td>${n}</td>`).join('')}</tr>`,
    )
    const sizes = order.map(k => `<td>${model.sizes[k].toFixed(1)}</td>`).join('')
    return `<table><caption>${caption}</caption>
<thead><tr><th></th>${header}</tr></thead>${lines.join('')}<tr><th>class size</th>${sizes}</tr></table>`
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Polyad: the Iris example</title>
<style>
  body { font: 16px/1.5 ${FONT}; color: #222; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem; margin-bottom: 0.25rem }
  figure { margin: 1.5rem 0 } figure svg { max-width: 100%; height: auto }
  .tables { display: flex; flex-wrap: wrap; gap: 2.5rem }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums }
  caption { text-align: left; white-space: nowrap; font-weight: 600; padding-bottom: 0.4rem }
  th { text-align: left; font-weight: 400 } td, thead th { text-align: right }
  th, td { padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ddd }
</style>
<h1>Iris: finding the species without being told them</h1>
<p>${experiment.flowers} flowers, four measurements in steps of 0.1 cm: a ${experiment.tensor.shape.join(' × ')} tensor of
counts. On the left the species are known, and the closed form gives each one’s distributions exactly. In the second column
they are hidden, and the search finds the ${species.length} classes of the highest likelihood from the measurements alone. In the
third column, each distribution is smoothed over neighbouring measurements; in the fourth it is normal. Each class has the colour of the species it matches best.</p>
<figure>${figure}</figure>
<div class="tables">
<table><caption>Results</caption>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table>
${confusionOf(unsupervised, 'Species hidden')}
${confusionOf(smoothed, 'Species hidden, with smoothing')}
${confusionOf(normal, 'Species hidden, normal distributions')}
</div>
</html>
`
}
