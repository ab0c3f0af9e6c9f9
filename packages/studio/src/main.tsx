import { render } from 'preact'
import { App, LATER_PARTS } from './app.tsx'
import { prefetch } from './prefetch.ts'
import { followSteps } from './state/navigation/navigation.ts'
import { listenForDrops, openNamed } from './state/opening/opening.ts'
import { restorePage } from './state/opening/restoring.ts'
import { isServed } from './state/opening/server-files.ts'
import { watchServer } from './state/page/server-gone.ts'
import { listenForKeys } from './state/store/shortcuts.ts'
import { showHidden } from './visible-labels.ts'
import './style/studio.css'

showHidden()
const root = document.getElementById('studio')
if (root !== null) render(<App />, root)

listenForKeys()
listenForDrops()
followSteps()
prefetch(LATER_PARTS)
await restorePage()
if (isServed.value) watchServer()
await openNamed()
