import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { openBrowser, openerOf } from './open-browser.ts'

const { path, file } = testFolder()
const named = 'abc.localhost:4321'
const url = `http://${named}/?token=secret`
const plainUrl = 'http://127.0.0.1:4321/?token=secret'

describe('the opener', () => {
  it('is the one of the platform, where there is a screen here', () => {
    expect(openerOf('darwin', {})).toEqual(['open'])
    expect(openerOf('win32', {})?.[0]).toBe('cmd')
    expect(openerOf('linux', { DISPLAY: ':0' })).toEqual(['xdg-open'])
    expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open'])
    expect(openerOf('linux', {})).toBeUndefined()
    expect(openerOf('linux', { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' })).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('opening', () => {
  const { DISPLAY, PATH, SSH_CONNECTION } = process.env
  beforeEach(() => {
    process.env.DISPLAY = ':0'
    delete process.env.SSH_CONNECTION
  })
  afterEach(() => {
    for (const [name, value] of Object.entries({ DISPLAY, PATH, SSH_CONNECTION }))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })

  it('gives the program a file that only this user may read, and no secret', async () => {
    const said = path('said')
    chmodSync(file('xdg-open', `#!/bin/sh\necho "$@" > ${said}.part && mv ${said}.part ${said}\n`), 0o755)
    process.env.PATH = `${path('.')}:${PATH}`
    openBrowser(named, url, plainUrl, path('.'))
    for (let i = 0; i < 100 && !existsSync(said); i++) await wait(50)
    const opened = readFileSync(said, 'utf8').trim()
    expect(opened).not.toContain('secret')
    for (const link of [url, plainUrl]) expect(readFileSync(opened, 'utf8')).toContain(`location.replace("${link}")`)
    expect(statSync(opened).mode & 0o777).toBe(0o600)
  })

  it('is no fault where there is no program for it', async () => {
    process.env.PATH = path('.nowhere')
    openBrowser(named, url, plainUrl, path('.'))
    await wait(50)
  })
})
