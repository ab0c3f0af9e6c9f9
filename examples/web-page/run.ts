/** `npm run example web-page`: serves a page of 70 lines that fits in the browser. Ctrl-C ends it. */
import { servePage } from './serve.ts'

const { address } = await servePage(Number(process.env.PORT ?? 8080))
console.log(`open ${address} in a browser; Ctrl-C ends the server`)
