import { render } from 'preact'
import { App } from './app.tsx'
import { listenForDrops, openNamed } from './state/opening/opening.ts'
import { findServer, isServed } from './state/opening/server-files.ts'
import { startKeeping } from './state/project/keeper.ts'
import { openAddressed } from './state/project/switching.ts'
import { listenForKeys } from './state/shortcuts.ts'
import { showHidden } from './visible-labels.ts'
import './style/studio.css'

showHidden()
const root = document.getElementById('studio')
if (root !== null) render(<App />, root)

listenForKeys()
listenForDrops()
await findServer()
await startKeeping(isServed.value)
await openAddressed()
await openNamed()
