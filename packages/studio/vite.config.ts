import { defineConfig } from 'vite'

export default defineConfig({
  // Any folder of any host.
  base: './',
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
