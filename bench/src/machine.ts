import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** The machine in a few words. */
export const machine = (): string => {
  const [cpu] = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  const caches = cacheSizes()
  const versions = `Node ${process.versions.node}, V8 ${process.versions.v8}`
  return `${cpu.model.trim()}, ${availableParallelism()} cores${caches}, ${memory} GB; ${process.platform} ${process.arch}; ${versions}`
}

const cacheSizes = (): string => {
  try {
    const text = execFileSync('lscpu', ['-C=NAME,ONE-SIZE'], { encoding: 'utf8' })
    const sizes = text
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/).join(' '))
    return ` (${sizes.join(', ')})`
  } catch {
    return ''
  }
}
