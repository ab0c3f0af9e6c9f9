#!/usr/bin/env node
import module from 'node:module'

// What was compiled is kept for the next run, in versions of Node that can.
module.enableCompileCache?.()
const { main } = await import('../bundle/cli.js')
await main(process.argv)
