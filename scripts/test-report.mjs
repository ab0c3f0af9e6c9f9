// @ts-check
// A reporter of Vitest that writes the result of each test file to the file that POLYAD_TEST_REPORT names. Vitest's own JSON has no
// errors outside tests, and calls a file passed whose worker has crashed.
import { writeFileSync } from 'node:fs'

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Result
 * @typedef {{ file: string, result: Result, tests: Record<Result, number> }} FileReport
 * @typedef {{ files: FileReport[], interrupted: boolean, unattributed: number }} Report `unattributed`: errors of no test file
 */

/** @param {import('vitest/node').TestModule} module @param {Set<string>} faulty files with errors outside tests @returns {FileReport} */
const fileReport = (module, faulty) => {
  const tests = { passed: 0, failed: 0, skipped: 0 }
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    // A test that has not ended was running when its worker crashed.
    tests[state === 'pending' ? 'failed' : state]++
  }
  const state = module.state()
  const ended = state === 'passed' || state === 'skipped'
  return { file: module.moduleId, result: ended && !faulty.has(module.moduleId) ? state : 'failed', tests }
}

// biome-ignore lint/style/noDefaultExport: Vitest finds a reporter by it
export default class {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('vitest').SerializedError>} errors outside tests
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, errors, reason) {
    const faulty = new Set(errors.map(error => String(error.VITEST_TEST_PATH)))
    // The error of a worker that crashed names no file, but leaves one without an end.
    const crashed = modules.filter(module => ['pending', 'queued'].includes(module.state())).length
    const nameless = errors.filter(error => error.VITEST_TEST_PATH === undefined).length
    /** @type {Report} */
    const report = {
      files: modules.map(module => fileReport(module, faulty)),
      interrupted: reason === 'interrupted',
      unattributed: Math.max(0, nameless - crashed),
    }
    writeFileSync(/** @type {string} */ (process.env.POLYAD_TEST_REPORT), JSON.stringify(report))
  }
}
