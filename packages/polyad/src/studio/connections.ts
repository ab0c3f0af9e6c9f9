import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Connections without a token that may be open at once: a browser opens six. */
export const DEFAULT_STRANGERS = 64

/** Seconds without a byte after which a request that has begun is ended. */
export const DEFAULT_IDLE_SECONDS = 30

/**
 * Who may keep a connection. Those that have shown the token stay; of the others only so many are open at once, and the oldest
 * is closed when one more comes. However many are opened from elsewhere, the owner gets in.
 */
export class Connections {
  readonly #most: number
  /** In the order in which they came. */
  readonly #strangers = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  get strangers(): number {
    return this.#strangers.size
  }

  add(socket: Socket): void {
    this.#strangers.add(socket)
    socket.once('close', () => this.#strangers.delete(socket))
    if (this.#strangers.size <= this.#most) return
    const [oldest] = this.#strangers
    this.#strangers.delete(oldest)
    oldest.destroy()
  }

  /** A request on this connection had the token. */
  know(socket: Socket): void {
    this.#strangers.delete(socket)
  }
}

/**
 * Ends a request whose body stands still: nothing has come for so many seconds, and nothing that came waits to be read here.
 * A body that goes on may take as long as it likes.
 */
export const endStalled = (incoming: IncomingMessage, seconds: number): void => {
  const { socket } = incoming
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) return clearInterval(timer)
    if (socket.bytesRead === seen && incoming.readableLength === 0) socket.destroy()
    seen = socket.bytesRead
  }, seconds * 1000)
  timer.unref()
  incoming.once('close', () => clearInterval(timer))
}
