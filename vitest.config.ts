import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What takes long, or needs servers or a browser throughout, has a script of its own: `npm run test:slow` and so on. */
const SUITES: Readonly<Record<string, string[]>> = {
  usual: ['packages/*/src/**/*.test.ts', 'test/*.test.ts'],
  slow: ['test/slow/*.test.ts', 'packages/*/src/**/*.slow.test.ts'],
  browser: ['test/browser/*.test.ts'],
  cluster: ['test/cluster/*.test.ts'],
}

const suite = process.env.POLYAD_SUITE ?? 'usual'

export default defineConfig({
  resolve: {
    alias: [
      ...(suite === 'usual' ? [{ find: /^\.\/start-process\.ts$/, replacement: source('test/warm-process.ts') }] : []),
      { find: /^fast-check$/, replacement: source('test/properties.ts') },
      { find: /^@polyad\/core$/, replacement: source('packages/core/src/index.ts') },
      {
        find: /^@polyad\/core\/(engine|file|model|numeric|options|stats)$/,
        replacement: source('packages/core/src/entries/$1.ts'),
      },
      { find: /^@polyad\/core\/conformance$/, replacement: source('packages/core/src/engine/conformance.ts') },
      {
        find: /^@polyad\/charts\/(label-text|visible-text)$/,
        replacement: source('packages/charts/src/drawing/$1.ts'),
      },
      { find: /^@polyad\/charts$/, replacement: source('packages/charts/src/index.ts') },
      { find: /^polyad\/numbers$/, replacement: source('packages/polyad/src/report/numbers.ts') },
      { find: /^polyad\/analysis$/, replacement: source('packages/polyad/src/analysis/index.ts') },
      { find: /^polyad\/report$/, replacement: source('packages/polyad/src/report/page/index.ts') },
      { find: /^polyad\/table$/, replacement: source('packages/polyad/src/table/index.ts') },
      { find: /^polyad\/studio-wire$/, replacement: source('packages/polyad/src/studio/wire.ts') },
    ],
  },
  test: {
    include: SUITES[suite],
    exclude: suite === 'usual' ? ['**/*.slow.test.ts'] : [],
    // Also where there are two cores: much of a usual test is waiting for processes.
    maxWorkers: suite === 'usual' ? 3 : 2,
    // Many small files: a worker keeps its modules from one to the next. A test leaves the process as it found it.
    isolate: suite !== 'usual',
    // A busy machine takes many times as long; what hangs is ended all the same.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      // AssemblyScript, code made from it, code of graphics cards (test:browser), and what runs in threads, from the bundle: Vitest does not see any of it.
      exclude: [
        '**/*.test.ts',
        '**/kernels/**',
        '**/generated/**',
        'packages/core/src/engine/gpu/**',
        'packages/core/src/worker.ts',
        'packages/core/src/engine/wasm/worker.ts',
        'packages/core/src/fit/running/task-worker.ts',
        'packages/core/src/thread/{port,task-server}.ts',
      ],
      reporter: ['text'],
      thresholds: { 'packages/core/src/**/*.ts': { lines: 95, branches: 90 } },
    },
  },
})
