import { OptionError } from '@polyad/core'
import { checkOutput, type Inputs } from '../../output/overwriting.ts'
import { checkNames } from '../../report/figures/class-names.ts'
import type { ReportOptions } from '../../report/page/report-facts.ts'
import type { CommandOption, Field } from './definition.ts'
import { given, moreNames, names } from './option-values.ts'

/** Options of the commands that write a report besides their answer. */
export interface ReportCommandOptions extends Pick<ReportOptions, 'names' | 'ordered'> {
  readonly report?: string
}

export const NAMES: CommandOption = {
  flags: '--names <names>',
  text: 'names of the classes in the report, in descending size (comma-separated; default: Class 1, Class 2 and so on)',
  parse: names,
}

export const ORDERED: CommandOption = {
  flags: '--ordered <names>',
  text: 'variables to draw as lines in the report (comma-separated); their categories must have an order: numbers, days, months or a usual scale',
  parse: moreNames,
}

export const REPORT_OUTPUT: readonly CommandOption[] = [
  { flags: '--report <file>', text: 'file to write a report to: .html, one self-contained page', writes: true },
  NAMES,
  ORDERED,
]

export const REPORT_FIELD: Field = ['report', 'the report that was written, if any', 'string?']

/** Refuses the name of a report that cannot be written, and what is asked of a report where there is none. */
export const checkReport = ({ report, names, ordered }: ReportCommandOptions, inputs: Inputs, rank?: number): void => {
  if (report === undefined) {
    if (names !== undefined || ordered !== undefined)
      throw new OptionError(`--${names === undefined ? 'ordered' : 'names'} needs --report, the file to write`)
    return
  }
  checkReportPath(report, inputs)
  if (names !== undefined && rank !== undefined) checkNames(names, rank)
}

export const checkReportPath = (path: string, inputs: Inputs): void => {
  if (!/\.html?$/i.test(path))
    throw new OptionError(`the name of a report must end in .html (got ${JSON.stringify(path)})`)
  checkOutput(path, inputs)
}

/** What the report itself is told. */
export const reportOptions = (options: ReportCommandOptions): Pick<ReportOptions, 'names' | 'ordered'> =>
  given(options, ['names', 'ordered'])
