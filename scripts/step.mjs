// @ts-check
// A step of the set-up that may have to wait for others (a registry, a mirror): it says what it waits for while it waits,
// and it ends when its time is up.
import { spawn } from 'node:child_process'

/** Seconds between two lines that say what is being waited for. */
const HEARTBEAT = Number(process.env.POLYAD_HEARTBEAT_SECONDS ?? 15)

/** @param {string} text */
export const say = text => process.stderr.write(`polyad: ${text}\n`)

/**
 * Runs a command with a time limit. Its output goes to standard error, or nowhere with `quiet`. Resolves to whether it
 * succeeded; what went wrong has been said.
 * @param {{ what: string, waitingFor: string, seconds: number, quiet?: boolean, cwd?: string }} step
 * @param {string} command @param {string[]} args
 * @returns {Promise<boolean>}
 */
export const runStep = ({ what, waitingFor, seconds, quiet = false, cwd }, command, args) =>
  new Promise(resolve => {
    const limit = Number(process.env.POLYAD_STEP_SECONDS ?? seconds)
    const began = Date.now()
    say(`${what} …`)
    const child = spawn(command, args, {
      cwd,
      stdio: quiet ? 'ignore' : ['ignore', 2, 2],
      // With the command interpreter where the command is a script of it (Windows); elsewhere in a process group of its
      // own, so that whatever it has started ends with it.
      shell: process.platform === 'win32',
      detached: process.platform !== 'win32',
    })
    const end = () => {
      try {
        process.kill(process.platform === 'win32' ? Number(child.pid) : -Number(child.pid), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const heartbeat = setInterval(() => {
      const waited = Math.round((Date.now() - began) / 1000)
      say(`still ${what}: ${waited} s, waiting for ${waitingFor} (at most ${limit} s)`)
    }, HEARTBEAT * 1000)
    let late = false
    const deadline = setTimeout(() => {
      late = true
      end()
    }, limit * 1000)
    /** @param {NodeJS.Signals} signal */
    const interrupted = signal => {
      end()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
    /** @param {string | undefined} fault */
    const finish = fault => {
      clearInterval(heartbeat)
      clearTimeout(deadline)
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
      if (fault !== undefined) say(fault)
      resolve(fault === undefined)
    }
    child.once('error', error => finish(`cannot run ${command}: ${error.message}`))
    child.once('exit', code => {
      if (late) finish(`${what} took more than ${limit} s and was ended: ${waitingFor} did not answer in time`)
      else finish(code === 0 ? undefined : `${what} failed: see the lines above; is ${waitingFor} within reach?`)
    })
  })
