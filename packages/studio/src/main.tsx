import { render } from 'preact'
import { App } from './app.tsx'
import { findServer, serverFiles } from './reading/server-files.ts'
import { openServerFile } from './state/opening.ts'
import { table } from './state/store.ts'
import './style/studio.css'

const root = document.getElementById('studio')
if (root !== null) render(<App />, root)

await findServer()
const [named, another] = serverFiles.value
// A single file that was named on the command line is what somebody wants to see.
if (named !== undefined && another === undefined && table.value === null) await openServerFile(named)
