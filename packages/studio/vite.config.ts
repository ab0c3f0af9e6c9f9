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

export default defineConfig({
  // Any folder of any host.
  base: './',
  plugins: [policy()],
  build: {
    outDir: '../polyad/studio',
    emptyOutDir: true,
    target: 'es2023',
    // A page that says which scripts it may run wants all of them in files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  worker: { format: 'es' },
})
