import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { loadCommands, program } from '../packages/polyad/src/cli/program.ts'
import { blocksOf, guides, NOT_RUN, pages, stepsOf } from './document-blocks.ts'

/** The code blocks of the documents, as far as that is quick: test/slow/documents.test.ts runs them. */

const blocks = pages.flatMap(blocksOf)

describe('the code blocks of the documents', () => {
  it('are of a language that is tested, or say why they are not run', () => {
    const untested = blocks.filter(
      ({ language, name, notRun }) =>
        notRun === undefined && !['sh', 'ts', 'output', 'math'].includes(language) && !/\.\w+$/.test(name),
    )
    expect(untested.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([])
  })

  it('name a known reason if they are not run, and few do', () => {
    const reasons = [...blocks, ...guides.flatMap(blocksOf)].flatMap(({ notRun }) => notRun ?? [])
    expect(reasons.filter(reason => !(NOT_RUN as readonly string[]).includes(reason))).toEqual([])
    // A third at most: most of what is written has to be known to work.
    expect(reasons.length).toBeLessThanOrEqual(blocks.length / 3)
  })

  it('of the shell run nothing but Polyad, unless they say so', () => {
    const other = blocks
      .filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
      .flatMap(({ page, code }) =>
        stepsOf(code).flatMap(step => (step.kind === 'other' ? `${page}: ${step.line}` : [])),
      )
    expect(other).toEqual([])
  })

  it('have options that the commands understand, run or not', async () => {
    const definitions = await loadCommands()
    for (const { page, code } of [...blocks, ...guides.flatMap(blocksOf)].filter(each => each.language === 'sh')) {
      for (const step of stepsOf(code)) {
        if (step.kind !== 'run' || step.words[0].startsWith('-')) continue
        // All but the one that is called for would take longer to make than to read.
        const parsed = program(definitions.filter(({ name }) => name === step.words[0]))
        let called = ''
        for (const command of parsed.commands) {
          command.exitOverride()
          command.action((...given) => {
            called = (given.at(-1) as Command).name()
          })
        }
        await parsed.parseAsync(step.words, { from: 'user' }).catch(error => {
          throw new Error(`${page}: ${step.line}: ${error.message}`)
        })
        expect(called, `${page}: ${step.line}`).toBe(step.words[0])
      }
    }
  })
})
