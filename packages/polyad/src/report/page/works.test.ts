import { expect, it } from 'vitest'
import { WORKS } from './references.ts'
import { bibtex, citation, polyadWork, referenceText } from './works.ts'

it('a work is a line of references, BibTeX, and a citation within a sentence', () => {
  expect(referenceText(WORKS.nylund)).toBe(
    'Nylund, K. L., Asparouhov, T., & Muthén, B. O. (2007). Deciding on the number of classes in latent class analysis and growth mixture modeling: A Monte Carlo simulation study. Structural Equation Modeling, 14(4), 535–569.',
  )
  expect(citation(WORKS.nylund)).toBe('Nylund et al., 2007')
  expect(bibtex(WORKS.nylund)).toBe(
    `@article{nylund2007,
  author = {Nylund, K. L. and Asparouhov, T. and Muth{\\'e}n, B. O.},
  title = {{Deciding on the number of classes in latent class analysis and growth mixture modeling: A Monte Carlo simulation study}},
  year = {2007},
  journal = {Structural Equation Modeling},
  volume = {14},
  number = {4},
  pages = {535--569}
}`,
  )
})

it('two authors, a book, and a program', () => {
  expect(citation(WORKS.lazarsfeld)).toBe('Lazarsfeld & Henry, 1968')
  expect(referenceText(WORKS.lazarsfeld)).toBe(
    'Lazarsfeld, P. F., & Henry, N. W. (1968). Latent structure analysis. Houghton Mifflin.',
  )
  expect(bibtex(WORKS.lazarsfeld)).toMatch(/^@book\{lazarsfeld1968,/)
  expect(referenceText(polyadWork('1.0.0'))).toBe(
    'The Polyad authors. (2026). Polyad: Latent class analysis and nonnegative tensor decomposition (Version 1.0.0) [Computer software].',
  )
  expect(bibtex(polyadWork('1.0.0'))).toContain('author = {{The Polyad authors}}')
})

it('works are in alphabetical order, and no two have one key', () => {
  const keys = Object.values(WORKS).map(({ key }) => key)
  expect(keys).toEqual([...new Set(keys)].sort())
})
