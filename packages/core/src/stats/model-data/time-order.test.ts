import { describe, expect, it } from 'vitest'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { nestedData } from './nested-data.ts'
import { panelData } from './panel-data.ts'
import { timeOrder } from './time-order.ts'

const orderOf = (labels: (string | number)[]) => timeOrder(new Mode('time', labels))

describe('the order of waves', () => {
  it.each([
    [
      ['t1', 't10', 't2'],
      [0, 2, 1],
    ],
    [['wave 1 of 9', 'wave 10 of 9', 'wave 2 of 9'], undefined],
    [
      ['April', 'January'],
      [1, 0],
    ],
    [['2020-01-31', '2020-12-01', '2021-02-01'], undefined],
    [[1, 2, 10], undefined],
  ])('is that of numbers, dates and months in texts: %j', (labels, order) => {
    expect(orderOf(labels).order).toEqual(order)
  })

  it('is that of the texts if they state none, with a note', () => {
    expect(orderOf(['after', 'before'])).toEqual({
      order: undefined,
      notes: ['the waves are in the order after, before: if that is not their order in time, number them'],
    })
  })

  it('is that of the model', () => {
    const rows = [10, 2, 1].flatMap(wave => [1, 2].map(id => ({ id, wave: `t${wave}`, a: wave % 2 })))
    const { time } = panelData(tensorFromRows(rows), { person: 'id', time: 'wave' })
    expect(time!.labels).toEqual(['t1', 't2', 't10'])
  })
})

describe('groups of one', () => {
  const rows = (members: (group: number) => number) =>
    tensorFromRows(
      Array.from({ length: 20 }, (_, group) =>
        Array.from({ length: members(group) }, (_, i) => ({ group: `g${group}`, a: i % 2, b: group % 2 })),
      ).flat(),
    )

  it('are named if they are many', () => {
    const data = nestedData(
      rows(group => (group < 5 ? 1 : 4)),
      { within: 'group', groupClasses: 2 },
    )
    expect(data.notes).toEqual([
      '5 of 20 groups in group have one member, which says nothing of the differences within a group',
    ])
    expect(
      nestedData(
        rows(() => 4),
        { within: 'group', groupClasses: 2 },
      ).notes,
    ).toEqual([])
  })

  it('are an error if there are no others', () => {
    const asked = () =>
      nestedData(
        rows(() => 1),
        { within: 'group', groupClasses: 2 },
      )
    expect(asked).toThrow('every group in "group" has one member')
  })
})
