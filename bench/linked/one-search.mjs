// @ts-nocheck
// A default search of linked rows by the library, without reading, standard errors and what else a command does:
// node bench/linked/one-search.mjs FOLDER/packages/core/dist FILE.csv CLASSES [GROUP_CLASSES]
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [folder, file, rank, groupClasses] = process.argv.slice(2)
const load = path => import(join(resolve(folder), path))
const [{ searchLinked }, { panelData }, { nestedData }, { buildTensor }, { Mode }] = await Promise.all(
  [
    'stats/structure/linked-search.js',
    'stats/model-data/panel-data.js',
    'stats/model-data/nested-data.js',
    'tensor/build.js',
    'tensor/mode.js',
  ].map(load),
)

const [header, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
const rows = lines.map(line => line.split(','))
const columns = header.split(',').map((_, n) => Int32Array.from(rows, row => Number(row[n])))
const modes = header
  .split(',')
  .map((name, n) => new Mode(name, columns[n].reduce((most, each) => Math.max(most, each), 0) + 1))
// Waves are numbered from 1.
const shifted = columns.map((column, n) => (modes[n].name === 'wave' ? column.map(wave => wave - 1) : column))
const sized = modes.map(mode => (mode.name === 'wave' ? new Mode('wave', mode.size - 1) : mode))
const tensor = buildTensor(sized, shifted, new Float64Array(rows.length).fill(1))

const [before, begun] = [process.cpuUsage(), performance.now()]
const data = groupClasses
  ? nestedData(tensor, { within: 'school', groupClasses: Number(groupClasses) })
  : panelData(tensor, { person: 'id', time: 'wave' })
const { result } = await searchLinked(data, { rank: Number(rank) })
const { user, system } = process.cpuUsage(before)
const clock = (performance.now() - begun) / 1000
console.log(
  JSON.stringify({
    processor: (user + system) / 1e6,
    clock,
    logLikelihood: result.logLikelihood,
    passes: result.totalPasses,
  }),
)
