import { render } from 'preact'
import { App } from './app.tsx'
import { listenForKeys } from './state/shortcuts.ts'
import { startStorage } from './state/storage.ts'
import './style/studio.css'

const root = document.getElementById('studio')
if (root !== null) render(<App />, root)
listenForKeys()
void startStorage()
