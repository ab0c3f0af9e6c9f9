import { render } from 'preact'
import { App } from './app.tsx'
import { findServer, serverFiles } from './reading/server-files.ts'
import { listenForDrops } from './state/dropping.ts'
import { openServerFile } from './state/opening.ts'
import { listenForKeys } from './state/shortcuts.ts'
import { startStorage } from './state/storage.ts'
import { restored } from './state/store.ts'
import './style/studio.css'

const root = document.getElementById('studio')
if (root !== null) render(<App />, root)

listenForKeys()
listenForDrops()
await Promise.all([startStorage(), findServer()])
const [named, another] = serverFiles.value
// A single file that was named on the command line is what somebody wants to see, unless they come back to what they did.
if (named !== undefined && another === undefined && !restored.value) await openServerFile(named)
