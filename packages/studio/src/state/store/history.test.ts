import { describe, expect, it } from 'vitest'
import { createHistory } from './history.ts'

describe('createHistory', () => {
  it('goes back and forth, and forgets what was undone once something else is done', () => {
    const history = createHistory('a')
    history.change('b')
    history.change('c')
    history.undo()
    expect(history.value.value).toBe('b')
    history.redo()
    expect(history.value.value).toBe('c')
    history.undo()
    history.undo()
    expect([history.value.value, history.canUndo.value, history.canRedo.value]).toEqual(['a', false, true])
    history.change('d')
    expect(history.canRedo.value).toBe(false)
    history.redo()
    expect(history.value.value).toBe('d')
  })

  it('undoes together what was typed in one go, but not what came later or elsewhere', () => {
    let now = 0
    const history = createHistory('', () => now)
    for (const text of ['s', 'se', 'see']) {
      history.change(text, 'name')
      now += 200
    }
    now += 5000
    history.change('seed', 'name')
    history.change('other', 'seed')
    history.undo()
    expect(history.value.value).toBe('seed')
    history.undo()
    expect(history.value.value).toBe('see')
    history.undo()
    expect(history.value.value).toBe('')
  })

  it('does nothing at its ends, and begins anew', () => {
    const history = createHistory(1)
    history.undo()
    history.redo()
    expect(history.value.value).toBe(1)
    history.change(2)
    history.reset(5)
    expect([history.value.value, history.canUndo.value]).toEqual([5, false])
  })
})
