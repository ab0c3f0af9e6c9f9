import { citation, type Work } from './works.ts'

/** The works that the methods paragraph may cite, in alphabetical order. */
export const WORKS = {
  akaike: {
    key: 'akaike1974',
    authors: ['Akaike, H.'],
    year: 1974,
    title: 'A new look at the statistical model identification',
    journal: 'IEEE Transactions on Automatic Control',
    volume: '19(6)',
    pages: '716–723',
  },
  binder: {
    key: 'binder1983',
    authors: ['Binder, D. A.'],
    year: 1983,
    title: 'On the variances of asymptotically normal estimators from complex surveys',
    journal: 'International Statistical Review',
    volume: '51(3)',
    pages: '279–292',
  },
  celeux: {
    key: 'celeux1996',
    authors: ['Celeux, G.', 'Soromenho, G.'],
    year: 1996,
    title: 'An entropy criterion for assessing the number of clusters in a mixture model',
    journal: 'Journal of Classification',
    volume: '13(2)',
    pages: '195–212',
  },
  clogg: {
    key: 'clogg1984',
    authors: ['Clogg, C. C.', 'Goodman, L. A.'],
    year: 1984,
    title: 'Latent structure analysis of a set of multidimensional contingency tables',
    journal: 'Journal of the American Statistical Association',
    volume: '79(388)',
    pages: '762–771',
  },
  collins: {
    key: 'collins2010',
    authors: ['Collins, L. M.', 'Lanza, S. T.'],
    year: 2010,
    title:
      'Latent class and latent transition analysis: With applications in the social, behavioral, and health sciences',
    publisher: 'Wiley',
  },
  dayton: {
    key: 'dayton1988',
    authors: ['Dayton, C. M.', 'Macready, G. B.'],
    year: 1988,
    title: 'Concomitant-variable latent-class models',
    journal: 'Journal of the American Statistical Association',
    volume: '83(401)',
    pages: '173–178',
  },
  dempster: {
    key: 'dempster1977',
    authors: ['Dempster, A. P.', 'Laird, N. M.', 'Rubin, D. B.'],
    year: 1977,
    title: 'Maximum likelihood from incomplete data via the EM algorithm',
    journal: 'Journal of the Royal Statistical Society, Series B',
    volume: '39(1)',
    pages: '1–38',
  },
  goodman: {
    key: 'goodman1974',
    authors: ['Goodman, L. A.'],
    year: 1974,
    title: 'Exploratory latent structure analysis using both identifiable and unidentifiable models',
    journal: 'Biometrika',
    volume: '61(2)',
    pages: '215–231',
  },
  lazarsfeld: {
    key: 'lazarsfeld1968',
    authors: ['Lazarsfeld, P. F.', 'Henry, N. W.'],
    year: 1968,
    title: 'Latent structure analysis',
    publisher: 'Houghton Mifflin',
  },
  nylund: {
    key: 'nylund2007',
    authors: ['Nylund, K. L.', 'Asparouhov, T.', 'Muthén, B. O.'],
    year: 2007,
    title:
      'Deciding on the number of classes in latent class analysis and growth mixture modeling: A Monte Carlo simulation study',
    journal: 'Structural Equation Modeling',
    volume: '14(4)',
    pages: '535–569',
  },
  satorra: {
    key: 'satorra2001',
    authors: ['Satorra, A.', 'Bentler, P. M.'],
    year: 2001,
    title: 'A scaled difference chi-square test statistic for moment structure analysis',
    journal: 'Psychometrika',
    volume: '66(4)',
    pages: '507–514',
  },
  schwarz: {
    key: 'schwarz1978',
    authors: ['Schwarz, G.'],
    year: 1978,
    title: 'Estimating the dimension of a model',
    journal: 'The Annals of Statistics',
    volume: '6(2)',
    pages: '461–464',
  },
  vermunt: {
    key: 'vermunt2003',
    authors: ['Vermunt, J. K.'],
    year: 2003,
    title: 'Multilevel latent class models',
    journal: 'Sociological Methodology',
    volume: '33(1)',
    pages: '213–239',
  },
} as const satisfies Record<string, Work>

/** `(Akaike, 1974)`: in the order given. */
export const cited = (...keys: readonly (keyof typeof WORKS)[]): string =>
  `(${keys.map(key => citation(WORKS[key])).join('; ')})`

/** The works that a text cites, in the order of a list of references. */
export const worksIn = (text: string): Work[] => Object.values(WORKS).filter(work => text.includes(citation(work)))
