import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { CONTENT_SECURITY_POLICY } from '../polyad/src/studio/policy.ts'

/** A static host sends no header that says what the page may do: the page says it itself. */
const policy = () => ({
  name: 'content-security-policy',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content: CONTENT_SECURITY_POLICY.split('; ')
          .filter(rule => !rule.startsWith('frame-ancestors'))
          .join('; '),
      },
      injectTo: 'head-prepend' as const,
    },
  ],
})

/** The names of all built files, workers' too: the page loads them while it has a server. */
const assetList = () => ({
  name: 'asset-list',
  writeBundle: ({ dir = '.' }: { readonly dir?: string }) =>
    writeFileSync(join(dir, 'assets.json'), JSON.stringify(readdirSync(join(dir, 'assets')).sort())),
})

/** What pages that only fit load late, this page has at once, since it resamples too: no reason for a warning. */
const rolldownOptions = { checks: { ineffectiveDynamicImport: false } }

/** What several parts of a worker share is one file: the library is made of many small ones, and a page on a host far away would wait for each. */
const workerOptions = {
  ...rolldownOptions,
  output: { advancedChunks: { groups: [{ name: 'shared', minShareCount: 2 }] } },
}

export default defineConfig({
  // Any folder of any host.
  base: './',
  plugins: [policy(), assetList()],
  build: {
    outDir: '../polyad/studio',
    emptyOutDir: true,
    target: 'es2023',
    // A page that says which scripts it may run wants all of them in files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions,
  },
  worker: { format: 'es', rolldownOptions: workerOptions },
})
