import { redacted } from '../../engine/sql/address.ts'
import { counted } from '../../report/numbers.ts'
import { defineCommand } from '../framework/define-command.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

export const clean = defineCommand({
  name: 'clean',
  summary: SUMMARIES.clean,
  examples: [
    ['polyad clean duckdb:///data/shop.duckdb', 'runs that are still under way lose their tables and fail'],
    ['polyad clean duckdb:///data/shop.duckdb/orders', 'the same: a table in the address is ignored'],
    ['polyad clean duckdb:///data/shop.duckdb --json', 'what was removed, as JSON'],
  ],
  arguments: [{ name: '<address>', text: 'a database, as in duckdb:///folder/file.duckdb' }],
  options: [TIMED_OUTPUT],
  fields: [
    ['database, removed', 'the database (without the password) and the tables that were removed', 'string, string[]'],
  ],
  run: async ({ terminal }, _options: OutputOptions, address: string) => {
    const { cleanDatabase } = await import('../../engine/open-sql-table.ts')
    const removed = await cleanDatabase(address)
    terminal.answer(
      () => [removed.length === 0 ? 'there is nothing to remove' : `removed ${counted(removed.length, 'table')}`],
      () => ({ database: redacted(address), removed }),
    )
  },
})
