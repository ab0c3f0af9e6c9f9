import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', csv: 'text/csv' }

/** The file of an address: the page, its data, or a file of the built library. */
const fileOf = (address: string): string | undefined => {
  if (address === '/') return file('web-page/index.html')
  if (address === '/survey.csv') return file('survey/survey.csv')
  const [, name] = /^\/core\/([\w-]+\.js)$/.exec(address) ?? []
  return name === undefined ? undefined : file(`../packages/core/bundle/${name}`)
}

/** A static server. With the two headers a page may use several threads; without them it works on one. */
export const servePage = (port = 0): Promise<{ readonly server: Server; readonly address: string }> => {
  const server = createServer((request, response) => {
    const path = fileOf(request.url ?? '/')
    if (path === undefined) return void response.writeHead(404).end()
    response.writeHead(200, {
      'Content-Type': `${TYPES[path.split('.').at(-1) ?? '']}; charset=utf-8`,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    })
    response.end(readFileSync(path))
  })
  return new Promise(resolve =>
    server.listen(port, '127.0.0.1', () =>
      resolve({ server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    ),
  )
}
