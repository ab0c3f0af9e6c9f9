import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endStalled } from './connections.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A request with a body under way. */
const underWay = () => {
  const socket = { bytesRead: 100, destroyed: false, destroy: () => Object.assign(socket, { destroyed: true }) }
  const incoming = Object.assign(new EventEmitter(), { socket, complete: false, readableLength: 0 })
  endStalled(incoming as unknown as IncomingMessage, 30)
  return { socket, incoming }
}

it('a body that goes on may take hours', () => {
  const { socket } = underWay()
  for (let i = 0; i < 1000; i++) {
    vi.advanceTimersByTime(29_000)
    socket.bytesRead++
  }
  expect(socket.destroyed).toBe(false)
})

it('a body that stands still is ended', () => {
  const { socket } = underWay()
  socket.bytesRead++
  vi.advanceTimersByTime(59_000)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(2_000)
  expect(socket.destroyed).toBe(true)
})

it('work on what has come, and on a body that is complete, is not standing still', () => {
  const slow = underWay()
  slow.incoming.readableLength = 10
  const done = underWay()
  done.incoming.complete = true
  vi.advanceTimersByTime(1e6)
  expect([slow.socket.destroyed, done.socket.destroyed]).toEqual([false, false])
})
