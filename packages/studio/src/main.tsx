import { render } from 'preact'
import { App } from './app.tsx'
import { listenForDrops, openServerFile } from './state/opening/opening.ts'
import { findServer, serverFiles } from './state/opening/server-files.ts'
import { startStorage } from './state/project/storage.ts'
import { listenForKeys } from './state/shortcuts.ts'
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
