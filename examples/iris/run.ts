/** `npm run example iris`: irises classified with their species known, and found again without them. */
import { fileURLToPath } from 'node:url'
import { profilesChart, profilesData } from '@polyad/charts'
import { fit, naiveBayes } from '@polyad/core'
import { withoutModes } from '@polyad/core/model'
import { readTensor } from 'polyad'
import { outputFolder, percent, writeChart } from '../output.ts'

const output = outputFolder('iris')
const file = fileURLToPath(new URL('../../../packages/polyad/data/iris.csv', import.meta.url))
const measures = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width']
const bins = ['sepal_length:0.5', 'sepal_width:0.5', 'petal_length:0.5', 'petal_width:0.25']
const { tensor, rows } = await readTensor(file, { modes: [...measures, 'species'], bins, count: 'none' })

// Supervised: the species is the class. Closed form, one pass.
const { model: known } = naiveBayes(tensor, { class: 'species', pseudoCounts: 0.1 })
// Unsupervised: the species is left out, and three classes are looked for. Neighbouring bins are alike.
const { model: found, verdict } = await fit(withoutModes(tensor, ['species']), { rank: 3, smoothing: 1, seed: 1 })
console.log(`${rows} flowers in ${tensor.cells} cells`)
console.log(verdict.text)

const species = known.classNames ?? []
const labels = tensor.indices[measures.length]
/** For each species, the flowers in each class. */
const table = (classOf: (cell: number) => number): number[][] => {
  const counts = species.map(() => species.map(() => 0))
  for (let cell = 0; cell < tensor.cells; cell++) counts[labels[cell]][classOf(cell)] += tensor.values[cell]
  return counts
}
const rowOf = (cell: number) =>
  Object.fromEntries(measures.map((name, n) => [name, tensor.modes[n].label(tensor.indices[n][cell])]))
const print = (title: string, counts: readonly (readonly number[])[]): void => {
  const right = counts.reduce((sum, row) => sum + Math.max(...row), 0)
  console.log(`\n${title}: ${percent(right / rows)} in the class of their species`)
  counts.forEach((row, k) => {
    console.log(`  ${String(species[k]).padEnd(11)}${row.map(count => String(count).padStart(5)).join('')}`)
  })
}
print(
  'species known (naive Bayes)',
  table(cell => known.posterior(rowOf(cell)).class),
)
print(
  'species hidden (three classes)',
  table(cell => found.posterior(rowOf(cell)).class),
)

writeChart(
  output('classes.svg'),
  'Three classes of irises, found without their species',
  'iris.csv · Polyad',
  options => profilesChart(profilesData(found), options),
)
