import { say } from '../messages.ts'
import { fits, screen } from '../store.ts'
import { openBrowserFile } from './opening.ts'

/** Files that are dropped beside the places for them: without this the browser would leave the page to show them. */
export const listenForDrops = (): void => {
  addEventListener('dragover', event => event.preventDefault())
  addEventListener('drop', event => {
    if (event.defaultPrevented) return
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) return
    if (screen.peek() === 'data' || fits.peek() === null) void openBrowserFile(file)
    else say('Drop a file under Data to open it, or under Use to classify its rows.')
  })
}
