import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { iconSizes } from '../provider/read-provider.ts'

/*
 * The program behind `npm run draw-icons FOLDER`. It draws a provider's PNG icons from its SVG, for systems that accept only PNG. Run it
 * when the SVG changes. The environment variable `CHROMIUM_PATH` names a Chromium in an unusual place.
 */

const [, , folder = 'demo/providers/fantail'] = process.argv
const { icon }: { icon: string } = JSON.parse(await readFile(join(folder, 'brand.json'), 'utf8'))
const svg = await readFile(join(folder, icon), 'utf8')
// The icon's first shape is its background. Its corners are made square, because phones round an icon's corners themselves.
const squareCornerSvg = svg.replace(/(<rect\b[^>]*?) rx="[\d.]+"/, '$1')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage()
for (const size of iconSizes) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;height:100vh;width:100vw}</style>${squareCornerSvg}`)
  await page.screenshot({ path: resolve(folder, icon.replace('.svg', `-${size}.png`)) })
}
await browser.close()
