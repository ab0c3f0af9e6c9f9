import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { until } from '../watched-process.ts'

/** DuckDB's process after its parent was killed in the middle of a statement. */

const foldersOf = (pid: number) => readdirSync(tmpdir()).filter(name => name.includes(`-${pid}-`))

/** A process that keeps DuckDB busy for minutes. */
const busyProcess = async (): Promise<{ parent: ChildProcess; child: number }> => {
  const client = new URL('../../packages/polyad/dist/duckdb/client.js', import.meta.url)
  const program = `
    import { openTables } from ${JSON.stringify(client.href)}
    const tables = await openTables()
    setTimeout(() => console.log('busy'), 300)
    await tables.rows('SELECT sum(sin(a.range * b.range)) FROM range(10000000) a, range(1000000) b')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise(resolve => parent.stdout?.once('data', resolve))
  const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim().split(' ')
  return { parent, child: Number(children[0]) }
}

it.runIf(process.platform === 'linux')('ends too, and removes its folder', async () => {
  const { parent, child } = await busyProcess()
  expect(foldersOf(parent.pid as number)).toHaveLength(1)
  parent.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${child}`), 'the process has ended')
  expect(foldersOf(parent.pid as number)).toEqual([])
})
