import { expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { readTensor } from '../../source/read-tensor.ts'

const { file } = testFolder()

const ROWS = 'a,b,w,c\nx,p,1,k\nx,q,2,l\ny,p,1,k\ny,q,3,l\nz,p,0,m\nx,r,0,m\n'

it.each([{ count: 'w' }, { weights: 'w' }])('labels of rows that count for nothing are left out: %o', async options => {
  const path = file('weights.csv', ROWS)
  const read = { ...options, modes: ['a', 'b'] }
  const { tensor, notes } = await readTensor(path, read)
  expect(tensor.modes.map(({ labels }) => labels)).toEqual([
    ['x', 'y'],
    ['p', 'q'],
  ])
  const said = notes.map(note => (typeof note === 'string' ? note : note.text))
  expect(said).toContain('a: z occurs only in rows that count for nothing, and is left out')
  const without = await readTensor(file('without.csv', ROWS.split('\n').slice(0, 5).join('\n')), read)
  expect(without.tensor.values).toEqual(tensor.values)
  expect(without.tensor.indices).toEqual(tensor.indices)
  // DuckDB counts alike.
  const queried = await readTensor([], { ...read, sql: `SELECT * FROM '${path}'` })
  expect(queried.tensor).toEqual(tensor)
})

it('clusters whose rows all have weight 0 stay in the design', async () => {
  const path = file('clusters.csv', ROWS)
  const { tensor } = await readTensor(path, { weights: 'w', modes: ['a', 'b'], design: { cluster: 'c' } })
  expect(tensor.modes.find(({ name }) => name === 'c')?.labels).toEqual(['k', 'l', 'm'])
  expect(tensor.modes[0].labels).toEqual(['x', 'y'])
})
