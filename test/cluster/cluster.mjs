// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Debian's ClickHouse, as the shards of a cluster on this machine: processes, ports and folders of their own. */

const SERVER = '/usr/sbin/clickhouse-server'

export const USER = 'polyad'
/** Users with the same password that may only read: one that may not even change settings, one that may. */
export const READERS = ['reader', 'reader2']
export const PASSWORD = 'k7-Zebra-Quitte-93'

/** Whether the suite can run here; where it cannot, that is said. */
export const haveClickhouse = existsSync(SERVER)

/**
 * @typedef {object} Shard
 * @property {string} http host:port of its HTTP interface
 * @property {string} https
 * @property {string} data the folder with its tables: `data/` and `metadata/`, by database
 * @property {() => Promise<void>} kill ends the process at once, as a crash does
 * @property {(on: boolean) => void} pause stops it or lets it go on, as a machine does that hangs
 * @property {() => Promise<void>} start
 * @property {() => number} cpu seconds of processor time so far
 * @property {(...statements: string[]) => Promise<string>} sql runs statements on this shard; gives the text of the last answer
 */

/**
 * @typedef {object} Cluster
 * @property {string} name
 * @property {readonly Shard[]} shards their servers; with replicas, all of the first shard before those of the second
 * @property {string} certificate the file with the certificate of the servers
 * @property {(path: string, options?: { password?: boolean, tls?: boolean, query?: string, one?: boolean }) => string} address of a table or database
 * @property {(...statements: string[]) => Promise<void>} sql runs statements on every shard
 * @property {() => string} logs all that the servers have written
 * @property {() => Promise<void>} stop
 */

/** @param {number} count @returns {Promise<number[]>} */
const freePorts = async count => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        /** @type {Promise<import('node:net').Server>} */ (
          new Promise(resolve => {
            const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
          })
        ),
    ),
  )
  const ports = servers.map(server => /** @type {import('node:net').AddressInfo} */ (server.address()).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

/**
 * Starts the servers; they are stopped by `stop`, and with this process.
 * @param {{ shards?: number, replicas?: number, threads?: number, memory?: number }} [options] how many, and how many servers each has; threads of a query on each (default 1); bytes it may use
 * @returns {Promise<Cluster>}
 */
export const startCluster = async ({ shards: groups = 2, replicas: each = 1, threads = 1, memory = 4e9 } = {}) => {
  const count = groups * each
  const folder = mkdtempSync(join(tmpdir(), 'polyad-cluster-'))
  const ports = await freePorts(count * 4)
  /** @param {number} shard */
  const portsOf = shard => ports.slice(shard * 4, shard * 4 + 4)
  const certificate = join(folder, 'certificate.pem')
  const made = spawnSync(
    'openssl',
    ['req', '-subj', '/CN=localhost', '-new', '-newkey', 'rsa:2048', '-days', '2', '-nodes', '-x509', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', join(folder, 'key.pem'), '-out', certificate], // biome-ignore format: one command
    { stdio: 'ignore' },
  )
  const tls = made.status === 0
  /** @param {number} server */
  const replica = server =>
    `<replica><host>127.0.0.1</host><port>${portsOf(server)[1]}</port><user>${USER}</user><password>${PASSWORD}</password></replica>`
  const replicas = Array.from({ length: groups }, (_, group) => {
    const own = Array.from({ length: each }, (_, i) => replica(group * each + i))
    return `<shard><internal_replication>true</internal_replication>${own.join('')}</shard>`
  })
  const name = 'polyad_two'
  /** @type {import('node:child_process').ChildProcess[]} */
  const processes = []

  /** @param {number} shard */
  const startShard = async shard => {
    const home = join(folder, `shard${shard + 1}`)
    const [http, tcp, https, between] = portsOf(shard)
    mkdirSync(home, { recursive: true })
    writeFileSync(
      join(home, 'config.xml'),
      `<?xml version="1.0"?><yandex>
<logger><level>information</level><log>${home}/server.log</log><errorlog>${home}/error.log</errorlog><size>50M</size><count>1</count></logger>
<listen_host>127.0.0.1</listen_host><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>${tls ? `<https_port>${https}</https_port>` : ''}
<interserver_http_port>${between}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<openSSL><server><certificateFile>${certificate}</certificateFile><privateKeyFile>${folder}/key.pem</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>
<path>${home}/data/</path><tmp_path>${home}/tmp/</tmp_path><user_files_path>${home}/files/</user_files_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>100000000</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size><timezone>UTC</timezone><mlock_executable>false</mlock_executable>
<query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>500</flush_interval_milliseconds></query_log>
<remote_servers><${name}>${replicas.join('')}</${name}></remote_servers>
</yandex>`,
    )
    writeFileSync(
      join(home, 'users.xml'),
      `<?xml version="1.0"?><yandex>
<profiles><default><max_threads>${threads}</max_threads><max_memory_usage>${memory}</max_memory_usage></default>
${READERS.map((name, i) => `<${name}><readonly>${i + 1}</readonly></${name}>`).join('')}</profiles>
<users>${[USER, ...READERS]
        .map(
          name =>
            `<${name}><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>${name === USER ? 'default' : name}</profile><quota>default</quota></${name}>`,
        )
        .join('')}</users>
<quotas><default></default></quotas>
</yandex>`,
    )
    const child = spawn(SERVER, [`--config-file=${home}/config.xml`], { cwd: home, stdio: 'ignore' })
    processes[shard] = child
    const ended = new Promise(resolve => child.once('exit', resolve))
    for (let patience = 300; ; patience--) {
      const answer = await fetch(`http://127.0.0.1:${http}/ping`).then(
        response => response.text(),
        () => '',
      )
      if (answer.startsWith('Ok')) return
      if (patience === 0 || child.exitCode !== null) {
        throw new Error(
          `shard ${shard + 1} did not start: ${existsSync(`${home}/error.log`) ? readFileSync(`${home}/error.log`, 'utf8').slice(0, 2000) : 'no log'}`,
        )
      }
      await Promise.race([wait(100), ended])
    }
  }

  /** @param {number} shard */
  const end = async shard => {
    const child = processes[shard]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  /** @param {unknown} _ @param {number} shard @returns {Shard} */
  const shardOf = (_, shard) => {
    const [http, , https] = portsOf(shard)
    return {
      http: `127.0.0.1:${http}`,
      https: `127.0.0.1:${https}`,
      data: join(folder, `shard${shard + 1}`, 'data'),
      kill: () => end(shard),
      pause: on => void processes[shard]?.kill(on ? 'SIGSTOP' : 'SIGCONT'),
      start: () => startShard(shard),
      cpu() {
        const fields = readFileSync(`/proc/${processes[shard].pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        return (Number(fields[11]) + Number(fields[12])) / 100
      },
      async sql(...statements) {
        let text = ''
        for (const body of statements) {
          const response = await fetch(`http://127.0.0.1:${http}/`, {
            method: 'POST',
            body,
            headers: { 'X-ClickHouse-User': USER, 'X-ClickHouse-Key': PASSWORD },
          })
          text = await response.text()
          if (!response.ok) throw new Error(`${body.slice(0, 200)}: ${text}`)
        }
        return text
      },
    }
  }
  const shards = Array.from({ length: count }, shardOf)

  // Also where a test fails before it can stop them: a server must not outlive its test.
  const atExit = () => {
    for (const child of processes) child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', atExit)
  await Promise.all(shards.map(shard => shard.start()))

  return {
    name,
    shards,
    certificate,
    address(path, { password = false, tls: secure = false, query = '', one = false } = {}) {
      const hosts = (one ? shards.slice(0, 1) : shards).map(shard => (secure ? shard.https : shard.http))
      const login = password ? `${USER}:${encodeURIComponent(PASSWORD)}` : USER
      return `clickhouse${secure ? 's' : ''}://${login}@${hosts.join(',')}/${path}${query}`
    },
    async sql(...statements) {
      for (const shard of shards) await shard.sql(...statements)
    },
    logs: () =>
      shards
        .flatMap((_, shard) => ['server.log', 'error.log'].map(file => join(folder, `shard${shard + 1}`, file)))
        .map(file => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
        .join('\n'),
    async stop() {
      await Promise.all(shards.map(shard => shard.kill()))
      process.removeListener('exit', atExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
