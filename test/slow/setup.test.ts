import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { scratchFolder } from '../run-polyad.ts'

/** A fresh clone whose package registry takes every call and answers none. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = scratchFolder()
const open: Socket[] = []
const registry = createServer(socket => void open.push(socket))
afterAll(() => {
  for (const socket of open) socket.destroy()
  registry.close()
  scratch.remove()
})

it('says what it waits for while nobody answers, and ends when its time is up', async () => {
  for (const path of ['package.json', 'package-lock.json', 'scripts', 'packages/core/package.json']) {
    mkdirSync(join(scratch.folder, path, '..'), { recursive: true })
    cpSync(join(root, path), join(scratch.folder, path), { recursive: true })
  }
  mkdirSync(scratch.path('packages/polyad'))
  cpSync(join(root, 'packages/polyad/package.json'), scratch.path('packages/polyad/package.json'))
  await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const child = spawn(process.execPath, ['scripts/run.mjs', 'build'], {
    cwd: scratch.folder,
    env: {
      ...process.env,
      npm_config_registry: address,
      npm_config_cache: scratch.path('cache'),
      POLYAD_STEP_SECONDS: '6',
      POLYAD_HEARTBEAT_SECONDS: '2',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(code, said).toBe(1)
  expect(said).toContain(`waiting for ${address} (at most 6 s)`)
  expect(said).toContain('installing the locked packages (npm ci) took more than 6 s and was ended')
})
