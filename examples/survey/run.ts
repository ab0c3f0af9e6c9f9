/** `npm run example survey`: three classes of pupils, from a sample with weights, clusters, strata and missing answers. */
import { linesChart, linesData, profilesData } from '@polyad/charts'
import { fit, standardErrors } from '@polyad/core'
import { withoutModes } from '@polyad/core/model'
import { prepareDesign } from '@polyad/core/stats'
import { readTensor } from 'polyad'
import { outputFolder, percent, writeChart, writeCsv } from '../output.ts'
import { CLASSES, ITEM_NAMES, makeSurvey } from './make-survey.ts'

const output = outputFolder('survey')
const file = output('survey.csv')
const pupils = makeSurvey(1)
writeCsv(
  file,
  pupils.map(({ row }) => row),
)

// As if every row were one pupil drawn at random.
const plain = await readTensor(file, { modes: ITEM_NAMES, count: 'none' })
const unweighted = await fit(plain.tensor, { rank: 3, seed: 1 })

// As the sample was drawn. The school and the region are modes of the data, and not of the model.
const design = { cluster: 'school', stratum: 'region' }
const read = await readTensor(file, { modes: ITEM_NAMES, weights: 'weight', design })
const sample = prepareDesign(read.tensor, read.design ?? design)
const { model, verdict } = await fit(withoutModes(sample, ['school', 'region']), { rank: 3, seed: 1 })
const errors = await standardErrors(sample, model, { design: read.design ?? design })

console.log(`${read.rows} pupils, ${read.tensor.cells} different rows, ${ITEM_NAMES.length} questions`)
console.log(verdict.text)
// What the weights say if the class of every pupil is known, as it is here.
const weightOf = (part: typeof pupils): number => part.reduce((sum, { weight }) => sum + weight, 0)
const truth = CLASSES.map((_, k) => weightOf(pupils.filter(({ of }) => of === k)) / weightOf(pupils))

console.log('\nclass          truth     unweighted  weighted  s.e.      design effect')
CLASSES.forEach((name, k) => {
  const [known, plainly, share, error] = [truth[k], unweighted.model.shares[k], model.shares[k], errors.shares?.[k] ?? 0]
    .map(percent) // biome-ignore format: one line
  const effect = errors.design?.effects.shares[k]?.toFixed(2) ?? ''
  console.log(
    [name.padEnd(14), known.padEnd(9), plainly.padEnd(11), share.padEnd(9), error.padEnd(9), effect].join(' '),
  )
})

const data = profilesData(model, { names: CLASSES })
writeChart(output('classes.svg'), 'Three kinds of pupils', 'survey.csv · weighted · Polyad', options =>
  linesChart(linesData(data), options),
)
console.log(`\nwrote ${file} and classes.svg`)
