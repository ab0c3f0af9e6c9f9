import { describe, expect, it } from 'vitest'
import { openTaskPool } from './task-pool.ts'
import type { ThreadScript } from './thread.ts'

/** A thread's script around a task, written as text: `setup` and `task` in, a result out. */
const script = (work: string): ThreadScript => {
  const server = new URL('../../dist/thread/task-server.js', import.meta.url)
  const text = `import { serveTasks } from '${server}'
serveTasks(async setup => async (task, { signal, tell }) => { ${work} })`
  return {
    url: new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    browser: () => {
      throw new Error('not in a browser')
    },
  }
}

const open = (work: string, threads = 2, sharedMemory = true) =>
  openTaskPool<{ base: number }, number, number, string>({
    script: script(work),
    setup: { base: 100 },
    threads,
    sharedMemory,
  })

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

  it('ends at once when it is closed, and refuses a second list meanwhile', async () => {
    const pool = open('for (;;);')
    const running = pool.run([1, 2, 3])
    const ended = expect(running).rejects.toThrow('the pool is closed')
    await expect(pool.run([4])).rejects.toThrow('one list of tasks at a time')
    await pool.close()
    await ended
    await expect(pool.run([1])).rejects.toThrow('the pool is closed')
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
