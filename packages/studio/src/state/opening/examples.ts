import type { Settings } from '../store/settings.ts'

/** A table to begin with, and how it is used. */
export interface Example {
  readonly file: string
  readonly title: string
  readonly words: string
  readonly settings: Partial<Omit<Settings, 'fit'>> & { readonly fit?: Partial<Settings['fit']> }
}

const ITEMS = ['MORAL', 'CARES', 'KNOW', 'LEAD', 'DISHON', 'INTEL']

export const EXAMPLES: readonly Example[] = [
  {
    file: 'iris.csv',
    title: 'Iris',
    words: '150 flowers with four measurements in bins. Their species is known and used only for comparison.',
    settings: {
      columns: {
        ...Object.fromEntries(
          ['sepal_length', 'sepal_width', 'petal_length', 'petal_width'].map(name => [
            name,
            { role: 'mode', bin: '0.5' },
          ]),
        ),
        species: { role: 'class' },
      },
      fit: { from: 1, to: 5 },
    },
  },
  {
    file: 'carcinoma.csv',
    title: 'Carcinoma',
    words: 'Seven pathologists rated 118 slides: who agrees with whom? Rows are patterns with their frequencies.',
    settings: { fit: { from: 1, to: 4 } },
  },
  {
    file: 'hair-eye-colour.csv',
    title: 'Hair and eye colour',
    words: '592 students by hair, eyes and sex: a very small table.',
    settings: { fit: { from: 1, to: 3 } },
  },
  {
    file: 'election.csv',
    title: 'Election 2000',
    words: 'What 1,785 people said about two candidates in twelve questions, with missing answers.',
    settings: {
      columns: Object.fromEntries([
        ...['G', 'B'].flatMap(who => ITEMS.map(item => [`${item}${who}`, { role: 'mode' as const }])),
        ...['VOTE3', 'AGE', 'EDUC', 'GENDER', 'PARTY'].map(name => [name, { role: 'ignore' as const }]),
      ]),
      fit: { from: 1, to: 4 },
    },
  },
  {
    file: 'event-log.csv',
    title: 'A log of events',
    words: '5,200 visits to an invented newspaper: who read what, and when. Sparse, with many categories.',
    settings: {
      columns: { reader: { role: 'mode' }, page: { role: 'mode' }, time: { role: 'mode', bin: 'hour' } },
      fit: { from: 1, to: 6 },
    },
  },
]

export const fetchExample = async ({ file }: Pick<Example, 'file'>): Promise<Uint8Array> => {
  const answer = await fetch(new URL(`./examples/${file}`, document.baseURI))
  if (!answer.ok) throw new Error(`the example ${file} could not be loaded (${answer.status})`)
  return new Uint8Array(await answer.arrayBuffer())
}
