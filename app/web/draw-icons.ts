import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

// Draws the PNG icons from the SVG, for systems that take nothing else. Run it by hand after a change: node app/web/draw-icons.ts

const folder = join(import.meta.dirname, 'static')
const svg = await readFile(join(folder, 'icon.svg'), 'utf8')
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage()
for (const size of [180, 192, 512]) {
  await page.setViewportSize({ width: size, height: size })
  // Phones cut corners of their own: these have none.
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg.replace('rx="112"', '')}`)
  await page.screenshot({ path: join(folder, `icon-${size}.png`) })
}
await browser.close()
