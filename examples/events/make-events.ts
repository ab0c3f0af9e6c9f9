import { random } from '@polyad/core/numeric'
import { draw } from '../draw.ts'

/**
 * A log of who did what where and when, over three weeks: four departments at their own services in office hours, and batch accounts at
 * night. A few events do not fit: an account of one department at a service of another, in the night, or a person who does what only batch accounts do.
 */

interface Department {
  readonly accounts: readonly string[]
  readonly services: Readonly<Record<string, number>>
  readonly actions: Readonly<Record<string, number>>
  /** Hours by how usual they are. */
  readonly hours: (hour: number) => number
}

const accounts = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${name}-${String(i + 1).padStart(2, '0')}`)
const office = (hour: number): number => (hour < 7 || hour > 18 ? 0.05 : hour === 12 ? 3 : 6)
const night = (hour: number): number => (hour < 5 ? 8 : hour > 21 ? 3 : 0.1)

const DEPARTMENTS: readonly Department[] = [
  { accounts: accounts('sales', 18), services: { crm: 6, mail: 4, shop: 3, wiki: 1 }, actions: { read: 6, write: 3, login: 2, export: 0.3 }, hours: office }, // biome-ignore format: a table
  { accounts: accounts('finance', 9), services: { ledger: 7, mail: 3, payroll: 2, bank: 2 }, actions: { read: 5, write: 4, login: 2, export: 1 }, hours: office }, // biome-ignore format: a table
  { accounts: accounts('dev', 14), services: { git: 7, ci: 4, wiki: 3, mail: 2, staging: 2 }, actions: { read: 4, write: 5, login: 2, delete: 0.8 }, hours: hour => office(hour - 2) }, // biome-ignore format: a table
  { accounts: accounts('support', 12), services: { tickets: 7, crm: 3, mail: 3, phone: 3 }, actions: { read: 6, write: 4, login: 2 }, hours: hour => (hour < 6 || hour > 22 ? 0.3 : 4) }, // biome-ignore format: a table
  { accounts: accounts('batch', 3), services: { backup: 6, ledger: 2, crm: 2, git: 1 }, actions: { read: 4, export: 5, delete: 1 }, hours: night }, // biome-ignore format: a table
]

/** What should not happen, as department, service, action and first hour. */
const INCIDENTS: readonly (readonly [department: number, service: string, action: string, hour: number])[] = [
  [0, 'payroll', 'export', 2],
  [3, 'ledger', 'delete', 3],
  [2, 'bank', 'write', 1],
  [0, 'git', 'delete', 23],
  [1, 'staging', 'delete', 4],
  [4, 'phone', 'login', 13],
]

export interface Event {
  readonly time: string
  readonly account: string
  readonly service: string
  readonly action: string
  readonly incident: 'yes' | 'no'
}

export const makeEvents = (seed: number, count = 6000, incidents = 24): Event[] => {
  const { uniform, below } = random(seed, 'data')
  const pick = (weights: Readonly<Record<string, number>>): string => {
    const names = Object.keys(weights)
    return names[draw(uniform, Object.values(weights))]
  }
  const timeOf = (hour: number): string => {
    const text = (part: number) => String(part).padStart(2, '0')
    return `2026-03-${text(2 + below(21))} ${text(hour)}:${text(below(60))}:${text(below(60))}`
  }
  const usual = Array.from({ length: count - incidents }, (): Event => {
    const { accounts, services, actions, hours } = DEPARTMENTS[Number(pick({ 0: 30, 1: 14, 2: 26, 3: 22, 4: 8 }))]
    const hour = Number(pick(Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at, hours(at)]))))
    return { time: timeOf(hour), account: accounts[below(accounts.length)], service: pick(services), action: pick(actions), incident: 'no' } // biome-ignore format: one row
  })
  const unusual = Array.from({ length: incidents }, (_, i): Event => {
    const [department, service, action, hour] = INCIDENTS[i % INCIDENTS.length]
    const { accounts } = DEPARTMENTS[department]
    return { time: timeOf((hour + below(2)) % 24), account: accounts[below(accounts.length)], service, action, incident: 'yes' } // biome-ignore format: one row
  })
  return [...usual, ...unusual].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
}
