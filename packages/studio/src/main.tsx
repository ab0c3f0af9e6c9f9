import { render } from 'preact'
import { App, LATER_PARTS } from './app.tsx'
import { prefetch } from './prefetch.ts'
import { listenForDrops, openNamed } from './state/opening/opening.ts'
import { findServer, isServed } from './state/opening/server-files.ts'
import { startKeeping } from './state/project/keeper.ts'
import { openAddressed } from './state/project/switching.ts'
import { watchServer } from './state/server-gone.ts'
import { listenForKeys } from './state/shortcuts.ts'
import { followSteps, settleSteps } from './state/steps/steps.ts'
import { showHidden } from './visible-labels.ts'
import './style/studio.css'

showHidden()
const root = document.getElementById('studio')
if (root !== null) render(<App />, root)

listenForKeys()
listenForDrops()
followSteps()
prefetch(LATER_PARTS)
await findServer()
await startKeeping(isServed.value)
await openAddressed()
settleSteps()
if (isServed.value) watchServer()
await openNamed()
