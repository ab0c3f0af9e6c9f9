import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The memory of a process and of those it started, in MB. */
const memoryOf = (pid: number): number => {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // It has ended meanwhile.
      return ''
    }
  }
  const own = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = tasks.flatMap(task => read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean))
  return own + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0)
}

/** Runs a script to its end; how long it took, and the most memory that it and the processes it started had at once. */
export const run = async (args: readonly string[]): Promise<{ seconds: number; memory: number; output: string }> => {
  const began = performance.now()
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let [output, memory] = ['', 0]
  child.stdout?.on('data', (text: Buffer) => {
    output += text.toString()
  })
  const timer = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid as number))
  }, 50)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, memory, output }
}
