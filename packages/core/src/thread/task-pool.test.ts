import { describe, expect, it } from 'vitest'
import { TASKS } from './task-messages.ts'
import { TaskPool } from './task-pool.ts'
import type { ThreadScript } from './thread.ts'
import { waysOf } from './worker-ways.ts'

/** A thread's script around a task, written as text: `setup` and `task` in, a result out. */
const script = (work: string): ThreadScript => {
  const server = new URL('../../dist/thread/task-server.js', import.meta.url)
  const text = `import { serveTasks } from '${server}'
const setups = new Map()
serveTasks({
  setUp: (key, value) => void setups.set(key, value),
  forget: key => void setups.delete(key),
  work: async (task, { signal, tell }) => { const setup = setups.get(0) ?? { base: 0 }; ${work} },
})`
  return { role: TASKS, ...waysOf({ workerUrl: `data:text/javascript,${encodeURIComponent(text)}` }) }
}

const open = (work: string, threads = 2, sharedMemory = true) => {
  const pool = new TaskPool<{ base: number }, number, number, string>({ script: script(work), threads, sharedMemory })
  pool.setUp(0, { base: 100 })
  return pool
}

describe('a task pool', () => {
  it('gives results in the order of the tasks, whatever order they end in', async () => {
    for (const threads of [1, 2, 5]) {
      const pool = open('await new Promise(done => setTimeout(done, 30 - 4 * task)); return setup.base + task', threads)
      const ended: number[] = []
      const results = await pool.run([0, 1, 2, 3, 4, 5, 6], { onResult: (_, task) => ended.push(task) })
      expect(results).toEqual([100, 101, 102, 103, 104, 105, 106])
      expect(ended.sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
      expect(await pool.run([7])).toEqual([107])
      expect(await pool.run([])).toEqual([])
      await pool.close()
    }
  })

  it('passes on what tasks report', async () => {
    const pool = open("tell('begun ' + task); return task")
    const news: string[] = []
    await pool.run([3, 4], { onNews: (text, task) => news.push(`${task}: ${text}`) })
    expect(news.sort()).toEqual(['0: begun 3', '1: begun 4'])
    await pool.close()
  })

  it('stops tasks that listen, even while they compute', async () => {
    const pool = open('tell("at work"); while (!signal.aborted); return task')
    expect(await pool.run([1, 2], { onNews: () => pool.stop() })).toEqual([1, 2])
    await pool.close()
  })

  it('fails with an EngineError where a task fails or a thread dies', async () => {
    const throwing = open("throw new Error('no luck with ' + task)")
    await expect(throwing.run([5])).rejects.toMatchObject({
      name: 'EngineError',
      message: 'a worker thread failed: no luck with 5',
    })
    await expect(throwing.run([5])).rejects.toThrow('no luck with 5')
    await throwing.close()
    const dying = open('process.exit(7)')
    await expect(dying.run([1, 2, 3])).rejects.toThrow('exit code 7')
    await dying.close()
  })

  it('ends at once when it is closed', async () => {
    const pool = open('for (;;);')
    const ended = expect(pool.run([1, 2, 3])).rejects.toThrow('the pool is closed')
    await pool.close()
    await ended
    await expect(pool.run([1])).rejects.toThrow('the pool is closed')
  })

  it('does several lists at once, and hears of set-ups that come later or go', async () => {
    const pool = open('await new Promise(done => setTimeout(done, 5)); return setup.base + task')
    expect(await Promise.all([pool.run([1, 2, 3]), pool.run([4]), pool.run([5, 6])])).toEqual([
      [101, 102, 103],
      [104],
      [105, 106],
    ])
    pool.setUp(0, { base: 200 })
    expect(await pool.run([1, 2, 3])).toEqual([201, 202, 203])
    pool.forget(0)
    expect(await pool.run([1, 2])).toEqual([1, 2])
    await pool.close()
  })

  it('rejects with the error of a hook', async () => {
    const pool = open('return task')
    const hook = () => {
      throw new RangeError('mine')
    }
    await expect(pool.run([1], { onResult: hook })).rejects.toThrow(RangeError)
    await pool.close()
  })
})
