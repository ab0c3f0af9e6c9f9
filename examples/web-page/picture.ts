/** Draws `page.png`, the page after its fit, with Chromium: `node examples/dist/web-page/picture.js` after `npm run example web-page`. */
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { servePage } from './serve.ts'

const { server, address } = await servePage()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 560 } })
  await page.goto(address)
  await page.getByRole('columnheader', { name: 'class 3' }).waitFor()
  await page.screenshot({ path: fileURLToPath(new URL('../../web-page/page.png', import.meta.url)) })
} finally {
  await browser.close()
  server.close()
}
