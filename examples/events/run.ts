/** `npm run example events`: what accounts usually do, and the events of a log that do not fit. */
import { profilesData, topChart } from '@polyad/charts'
import { chooseRank, surprisingRows } from '@polyad/core'
import { readTensor } from 'polyad'
import { outputFolder, writeChart, writeCsv } from '../output.ts'
import { makeEvents } from './make-events.ts'

const output = outputFolder('events')
const file = output('events.csv')
const events = makeEvents(1)
writeCsv(
  file,
  events.map(event => ({ ...event })),
)

const modes = ['account', 'service', 'action', 'time']
const { tensor, rows } = await readTensor(file, { modes, bins: ['time:hour'], count: 'none' })
const possible = tensor.shape.reduce((product, size) => product * size, 1)
console.log(`${rows} events in ${tensor.cells} of ${possible.toLocaleString('en')} possible cells`)

// Pseudo-counts keep what was never seen from being impossible.
const { fits, recommended, reason } = await chooseRank(tensor, {
  from: 4,
  to: 6,
  pseudoCounts: 0.05,
  folds: 0,
  starts: 8,
  seed: 1,
})
console.log(reason)
const fitted = fits.find(({ rank }) => rank === recommended) ?? fits[0]
const { model } = fitted.result

const hourOf = (time: string): string => `${time.slice(11, 13)}:00`
const asRows = events.map(({ time, ...rest }) => ({ ...rest, time: hourOf(time) }))
const found = surprisingRows(model, asRows, { limit: 24 })
console.log('\nscore  event                                                   because of')
for (const { row, score, contributions } of found.slice(0, 12)) {
  const { time, account, service, action, incident } = events[row]
  const event = `${time} ${account} ${action} ${service}${incident === 'yes' ? ' *' : ''}`
  console.log(
    `${score.toFixed(2).padStart(5)}  ${event.padEnd(55)} ${contributions[0].mode} = ${contributions[0].label}`,
  )
}
const caught = found.filter(({ row }) => events[row].incident === 'yes').length
console.log(`\n${caught} of the 24 most surprising events are incidents (*); the log has 24`)

const data = profilesData(model)
writeChart(output('classes.svg'), 'What accounts usually do', 'events.csv · Polyad', options =>
  topChart({ ...data, modes: data.modes.filter(({ name }) => name === 'account' || name === 'service') }, options),
)
