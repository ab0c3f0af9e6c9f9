import { render } from 'preact'
import { App } from './app.tsx'
import './style/studio.css'

const root = document.getElementById('studio')
if (root !== null) render(<App />, root)
