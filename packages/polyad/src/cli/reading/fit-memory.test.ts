import { describe, expect, it } from 'vitest'
import { tensorFromCoordinates } from '../../../../core/src/tensor/coordinates.ts'
import { fitMemory } from './fit-memory.ts'

const tensor = tensorFromCoordinates(
  Array.from({ length: 3000 }, (_, i) => [i, i % 7]),
  new Array(3000).fill(1),
  { modes: ['word', 'day'], shape: [1_000_000, 7] },
)
const asked = { rank: 20 }
const refusal = (free: number, memory?: string, room?: number) => {
  try {
    return fitMemory({ tensor, ...(room !== undefined && { room }) }, memory, asked, undefined, free)
  } catch (error) {
    return (error as Error).message
  }
}

describe('a fit that does not fit into memory', () => {
  it('is refused before it starts, with the estimate and what to do', () => {
    expect(refusal(64e9)).toEqual({})
    expect(refusal(6.5e9)).toMatch(
      /^20 classes of 1,000,007 categories need about \d+\.\d GB of memory, and 6\.5 GB are free: set --memory, for example --memory 5\.2GB, or use fewer classes$/,
    )
    expect(refusal(1e9)).toMatch(/and 1\.0 GB are free: use a machine with more memory, or use fewer classes$/)
  })

  it('is made smaller by --memory, and refused by it', () => {
    expect(refusal(1e9, '8GB', 7e9)).toEqual({ memory: 7e9 })
    expect(refusal(64e9, '1GB', 0.8e9)).toMatch(
      /^--memory must be at least \d\.\d GB for 20 classes of 1000007 categories \(got 1GB\): raise it/,
    )
  })
})
