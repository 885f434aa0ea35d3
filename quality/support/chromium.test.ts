import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumPaths, findChromium } from './chromium.ts'

function folderWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const program of programs) {
    mkdirSync(dirname(join(folder, program)), { recursive: true })
    writeFileSync(join(folder, program), '', { mode: 0o755 })
  }
  return folder
}

test('the search for Chromium uses CHROMIUM_PATH if that names a program', async () => {
  const path = join(folderWith('browser'), 'browser')
  expect(await findChromium({ CHROMIUM_PATH: path })).toBe(path)
})

test('the search for Chromium fails if CHROMIUM_PATH does not name a program', async () => {
  await expect(findChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).rejects.toThrow(
    /^CHROMIUM_PATH names no program: \/nowhere\/chromium$/,
  )
})

test('the search for Chromium finds browsers installed by Playwright, the newest revision first', () => {
  const kept = [
    'chromium-999/chrome-linux/chrome',
    'chromium-1200/chrome-linux64/chrome',
    'chromium_headless_shell-1187/chrome-linux/headless_shell',
  ]
  const folder = folderWith(
    ...kept,
    'firefox-1490/firefox/firefox',
    'chromium-999/chrome-linux/chrome_crashpad_handler',
  )
  const places = chromiumPaths({ PLAYWRIGHT_BROWSERS_PATH: folder })
  expect(places.filter((path) => path.startsWith(folder))).toEqual(
    [kept[1], kept[2], kept[0]].map((path) => join(folder, path ?? '')),
  )
})
