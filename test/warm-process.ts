import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { TableAnswer, TableQuestion } from '../packages/polyad/src/duckdb/messages.ts'
import { startProcess as startNew } from '../packages/polyad/src/duckdb/start-process.ts'

/**
 * Processes of DuckDB for the usual tests (vitest.config.ts puts this file in place of `start-process.ts`): one that has no statement under way
 * when it is killed closes its database instead, and serves again. Starting one takes ten times as long as opening a database.
 */
const idle: { readonly child: ChildProcess; readonly cwd: string }[] = []

/** Stands for a process from its start to its end. */
class Borrowed extends EventEmitter {
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  readonly stderr: ChildProcess['stderr']
  readonly pid: number | undefined
  private readonly child: ChildProcess
  /** Where it was started: relative paths are from there. */
  private readonly cwd = process.cwd()
  private readonly asked = new Set<number>()
  private ending = false

  constructor(child: ChildProcess) {
    super()
    this.child = child
    this.stderr = child.stderr
    this.pid = child.pid
    child.on('message', this.hear).on('exit', this.end).on('error', this.fail)
    child.ref()
    child.channel?.ref()
  }

  send(question: TableQuestion, callback: (error: Error | null) => void): boolean {
    if (this.exitCode !== null) {
      process.nextTick(callback, new Error('it has ended'))
      return false
    }
    this.asked.add(question.id)
    return this.child.send(question, callback)
  }

  kill(signal: NodeJS.Signals): boolean {
    if (this.ending) return true
    this.ending = true
    if (this.asked.size > 0 || !this.child.connected) return this.child.kill(signal)
    return this.child.send({ id: 0, request: { kind: 'close' } })
  }

  private readonly hear = (answer: TableAnswer): void => {
    if (answer.id === 0) {
      if (answer.kind === 'failed') {
        this.child.kill('SIGKILL')
        return
      }
      this.child.unref()
      this.child.channel?.unref()
      this.stderr?.removeAllListeners('data')
      idle.push({ child: this.child, cwd: this.cwd })
      this.end(0, null)
      return
    }
    if (answer.kind === 'done' || answer.kind === 'failed') this.asked.delete(answer.id)
    this.emit('message', answer)
  }

  private readonly fail = (error: Error): void => void this.emit('error', error)

  private readonly end = (code: number | null, signal: NodeJS.Signals | null): void => {
    this.child.off('message', this.hear).off('exit', this.end).off('error', this.fail)
    this.exitCode = code
    this.signalCode = signal
    this.emit('exit', code, signal)
  }
}

const usual = process.execPath

export const startProcess = (scratch: string): ChildProcess => {
  if (process.execPath !== usual) return startNew(scratch)
  const at = idle.findIndex(({ child, cwd }) => child.connected && cwd === process.cwd())
  const child = at < 0 ? startNew(scratch) : idle.splice(at, 1)[0].child
  return new Borrowed(child) as unknown as ChildProcess
}
