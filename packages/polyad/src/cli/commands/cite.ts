import { loadModel } from '../../output/model-store.ts'
import { version } from '../../package-file.ts'
import { howToReport, worksOf } from '../../report/page/how-to-report.ts'
import { reportFacts } from '../../report/page/report-facts.ts'
import { bibtex, polyadWork, referenceText, type Work } from '../../report/page/works.ts'
import { defineCommand } from '../framework/define-command.ts'
import { OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly bibtex?: boolean
}

export const cite = defineCommand({
  name: 'cite',
  summary: SUMMARIES.cite,
  examples: [
    ['polyad cite', 'how to cite Polyad, as text and as BibTeX'],
    ['polyad cite model.npz', 'a methods paragraph for this model, and the works that it cites'],
    ['polyad cite model.npz --bibtex', 'these works as the text of a BibTeX file'],
  ],
  arguments: [{ name: '[model]', text: 'a model: .npz or .json' }],
  options: [{ title: 'Options', options: [{ flags: '--bibtex', text: 'print BibTeX only' }] }, OUTPUT],
  fields: [
    ['methods', 'the sentences for a methods section; empty without a model', 'string[]'],
    [
      'references',
      'for each work: text (a line of a list of references) and bibtex',
      '{ text: string, bibtex: string }[]',
    ],
  ],
  run: async ({ terminal }, options: Options, path: string | undefined) => {
    const { methods, works } = path === undefined ? { methods: [], works: [polyadWork(version)] } : await ofModel(path)
    const lines = works.map(referenceText).sort()
    const entries = works.map(bibtex)
    const { style } = terminal
    terminal.answer(
      () =>
        options.bibtex === true
          ? entries.flatMap((entry, i) => [...(i > 0 ? [''] : []), ...entry.split('\n')])
          : [
              ...(methods.length === 0 ? [] : [style('bold', 'methods'), `  ${methods.join(' ')}`, '']),
              style('bold', works.length === 1 ? 'reference' : 'references'),
              ...lines.map(line => `  ${line}`),
              '',
              style('bold', 'BibTeX'),
              ...entries.flatMap(entry => entry.split('\n')),
            ],
      () => ({
        methods,
        references: works.map((work, i) => ({ text: referenceText(work), bibtex: entries[i] })),
      }),
    )
  },
})

/** What a paper says of a model, from its file alone. */
const ofModel = async (path: string): Promise<{ methods: readonly string[]; works: readonly Work[] }> => {
  const { model, run } = loadModel(path)
  const facts = await reportFacts(model, { run })
  return { methods: howToReport(facts), works: worksOf(facts) }
}
