// @ts-check
// `npm run pictures`: the pictures of the README, made anew from the built program, its examples and Chromium.
// `npm run pictures -- studio` makes those whose names begin so.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { fail, root } from './setup.mjs'
import { say } from './step.mjs'

const polyad = join(root, 'packages/polyad/bin/polyad.js')
const docs = (/** @type {string} */ name) => join(root, 'docs', name)
const folder = mkdtempSync(join(tmpdir(), 'polyad-pictures-'))

/** A command, to its end. @param {string[]} args */
const command = (...args) => {
  const { status, stderr } = spawnSync(process.execPath, [polyad, ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) fail(`polyad ${args.join(' ')}: ${stderr}`)
}

/** The studio's link, and how it is ended. @returns {Promise<{ url: string, end: () => Promise<void> }>} */
const startStudio = () =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [polyad, 'studio', '--no-open', '--port', '0', '--json', '--projects', join(folder, 'projects')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = new Promise(done => child.on('close', done))
    child.on('error', reject)
    let said = ''
    child.stdout.on('data', text => {
      said += text
      if (!said.trimEnd().endsWith('}')) return
      const end = async () => {
        child.kill('SIGINT')
        await ended
      }
      resolve({ url: JSON.parse(said).url, end })
    })
  })

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})

/** A page of the studio with an example, on the step Fit. @param {string} url @param {RegExp} example @param {object} options */
const onFit = async (url, example, options) => {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
  await page.goto(url)
  await page.getByRole('button', { name: example }).click()
  await page.getByRole('button', { name: /Fit$/ }).click()
  return page
}

const studioData = async () => {
  const studio = await startStudio()
  const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 1280, height: 760 } })
  await page.goto(studio.url)
  await page.getByRole('button', { name: /^Election/ }).click()
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await page.mouse.move(2, 600)
  await page.screenshot({ path: docs('studio-data.png') })
  await page.close()
  await studio.end()
}

const studioResults = async () => {
  command('example', 'survey')
  const studio = await startStudio()
  const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 1280, height: 1000 } })
  await page.goto(studio.url)
  await page.locator('input[type=file]').first().setInputFiles(join(folder, 'survey.csv'))
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await page.getByRole('button', { name: /Fit$/ }).click()
  await page.getByLabel('to', { exact: true }).fill('5')
  await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
  await page.getByRole('button', { name: 'See the results' }).click({ timeout: 300_000 })
  const numbers = page.getByRole('group', { name: 'Number of classes' })
  await numbers.getByText('5', { exact: true }).waitFor({ timeout: 300_000 })
  await numbers.getByRole('button', { name: /^3/ }).click()
  await page.locator('.mode-panel svg').nth(5).waitFor()
  const close = page.locator('.message button')
  if (await close.count()) await close.first().click()
  await page.mouse.move(2, 600)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.screenshot({ path: docs('studio-results.png') })
  await page.close()
  await studio.end()
}

const studioFit = async () => {
  const studio = await startStudio()
  const page = await onFit(studio.url, /^Election/, { viewport: { width: 1280, height: 620 }, colorScheme: 'dark' })
  await page.getByLabel('to', { exact: true }).fill('9')
  await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
  // Results open with the first number of classes; the search goes on.
  await page.getByText(/\([4-8] of 9\)/).waitFor({ timeout: 120_000 })
  await page.screenshot({ path: docs('studio-fit.png') })
  await page.close()
  await studio.end()
}

/** @type {Promise<string> | undefined} */
let made
/** The report of a published table, made once. */
const report = () => {
  made ??= (async () => {
    cpSync(join(root, 'packages/studio/public/examples/carcinoma.csv'), join(folder, 'carcinoma.csv'))
    command('rank', 'carcinoma.csv', '-k', '1..4', '-o', 'model.npz')
    command('report', 'model.npz', 'carcinoma.csv', '-o', 'report.html')
    return `file://${join(folder, 'report.html')}`
  })()
  return made
}

/** @param {'light' | 'dark'} colorScheme */
const onReport = async colorScheme => {
  const page = await browser.newPage({ viewport: { width: 1180, height: 1200 }, colorScheme })
  await page.goto(await report())
  return page
}

const reportHead = async () => {
  const page = await onReport('light')
  await page.screenshot({
    path: docs('report.png'),
    fullPage: true,
    clip: { x: 0, y: 0, width: 1180, height: 1900 },
  })
  await page.close()
}

const reportEvidence = async () => {
  const page = await onReport('dark')
  const top = await page
    .getByRole('heading', { name: 'How many classes' })
    .first()
    .evaluate(heading => heading.getBoundingClientRect().top + scrollY)
  await page.screenshot({
    path: docs('report-evidence.png'),
    fullPage: true,
    clip: { x: 0, y: top - 24, width: 1180, height: 1180 },
  })
  await page.close()
}

const iris = async () => {
  command('iris', '--output', folder)
  cpSync(join(folder, 'iris.svg'), docs('iris.svg'))
}

const startProfiles = async () => {
  cpSync(join(root, 'packages/studio/public/examples/carcinoma.csv'), join(folder, 'carcinoma.csv'))
  command('fit', 'carcinoma.csv', '-k', '3', '-o', 'start.npz')
  command('plot', 'start.npz', '-o', 'profiles.svg')
  cpSync(join(folder, 'profiles.svg'), docs('start-profiles.svg'))
}

const PICTURES = {
  'start-profiles.svg': startProfiles,
  'studio-data.png': studioData,
  'iris.svg': iris,
  'report.png': reportHead,
  'report-evidence.png': reportEvidence,
  'studio-results.png': studioResults,
  'studio-fit.png': studioFit,
}

try {
  for (const [name, make] of Object.entries(PICTURES)) {
    if (process.argv.length > 2 && !process.argv.slice(2).some(start => name.startsWith(start))) continue
    await make()
    say(`docs/${name}`)
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
