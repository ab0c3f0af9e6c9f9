// @ts-check
// `npm start`, `npm test` and the rest: each first sets up what is missing, then does its work.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, runNode, say, setup, typescript } from './setup.mjs'

const biome = 'node_modules/@biomejs/biome/bin/biome'
const vitest = 'node_modules/vitest/vitest.mjs'

/** @type {Record<string, (args: string[]) => void>} */
const tasks = {
  start: args => runNode('packages/polyad/bin/polyad.js', ['iris', ...args]),
  build: () => say('built'),
  test: args => {
    tasks.check([])
    runNode(vitest, ['run', ...args])
  },
  check: () => {
    runNode(typescript, ['-p', 'tsconfig.check.json'])
    runNode(biome, ['ci', '--reporter=summary', '--log-level=warn'])
  },
  lint: args => runNode(biome, ['check', ...args]),
  format: () => runNode(biome, ['check', '--write']),
  coverage: args => runNode(vitest, ['run', '--coverage', ...args]),
}

const [task, ...args] = process.argv.slice(2)
if (task === 'clean') {
  for (const path of ['node_modules', 'packages/core/dist', 'packages/polyad/dist']) {
    rmSync(join(root, path), { recursive: true, force: true })
  }
  say('removed node_modules and what was built')
} else if (tasks[task]) {
  setup()
  tasks[task](args)
} else {
  fail(`no task named ${task}: one of ${[...Object.keys(tasks), 'clean'].join(', ')}`)
}
