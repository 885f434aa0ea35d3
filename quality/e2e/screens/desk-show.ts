import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pages } from '#desk/app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { devToolsOf } from '../dev-tools.ts'
import { dress, expectSound, expectToFitTablet, type Look, viewportOf } from '../inspect.ts'
import { expectAllInReach } from '../keyboard.ts'
import { enlargeText, sidewaysOn, spoiledWordsIn, targetsOn } from '../measure.ts'
import { type Portal, usePortal } from '../portal.ts'
import { untilQuiet } from './calls.ts'
import { deskLooks, pictureOf, picturesFolder } from './pictures.ts'
import { type Screen, stageOf } from './screen.ts'
import { photograph } from './show.ts'
import { nextFrame, resize } from '../resize.ts'

const quick: Look[] = [
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
]

/**
 * Checks every screen of an area of the desk: on a phone with touch and on a desktop with a pointer, in the light and the dark theme, with
 * text twice as big, and by keyboard alone.
 */
export function showDesk(area: string, screens: readonly Screen[]): void {
  const portal: Portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
  // Each page and each dialog is walked by keyboard only where it first appears, because Tab takes longer than all other checks.
  const walked = new Set<string>()
  describe(`${area}`, () => {
    test.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
      const page = await screen.open(stageOf(portal, screen))
      expect(entryOf(page.url()), 'the page of the table').toBe(entryOf(screen.at))
      await page.mouse.move(0, 0)
      for (const look of picturesFolder ? deskLooks : quick) {
        await touch(page, look.width === 390)
        await dress(page, look)
        await untilQuiet(page)
        if (picturesFolder) await photographWhole(page, look, join(picturesFolder, pictureOf(area, name, look)))
        await expectSound(page, `${area}: ${name}, ${look.width} px wide, ${look.scheme}`)
        const tooSmall = look.width === 390 ? await smallTargets(page) : []
        expect(tooSmall, 'to be hit by a finger').toEqual([])
        await touch(page, false)
        await expectReadable(page, look.width)
      }
      await expectToFitTablet(page)
      const place = `${entryOf(page.url())} ${await nameOfWindow(page)}`
      if (walked.has(place)) return
      await resize(page, viewportOf(1280))
      await expectAllInReach(page)
      walked.add(place)
    })
  })
}

/** Uses a window as high as the page, so that content fixed to its end is at the end of the picture as well. */
async function photographWhole(page: Page, look: Look, path: string): Promise<void> {
  const isCovered = await page.evaluate(() => document.querySelector(':modal') !== null)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (!isCovered) await resize(page, { width: look.width, height })
  await photograph(page, path)
  await dress(page, look)
}

const nameOfWindow = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('dialog[open] h2, dialog[open][aria-label]')?.textContent ?? '')

const entryOf = (address: string): string =>
  String(matchPage(pages, new URL(address, 'http://localhost').pathname).page.path)

const touched = new WeakSet<Page>()

/** Switches touch on or off. Touch makes controls as high as a finger. */
async function touch(page: Page, enabled: boolean): Promise<void> {
  if (touched.has(page) === enabled) return
  const devTools = await devToolsOf(page)
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 1 })
  if (enabled) touched.add(page)
  else touched.delete(page)
  await page.waitForFunction((wanted) => matchMedia('(pointer: coarse)').matches === wanted, enabled)
}

const smallTargets = async (page: Page) =>
  (await targetsOn(page)).filter(({ width, height }) => height < 43.9 || width < 24)

async function expectReadable(page: Page, width: Look['width']): Promise<void> {
  const undo = await enlargeText(page)
  await nextFrame(page)
  expect(await sidewaysOn(page), `sideways, text twice as big at ${width} px`).toEqual([])
  expect(await spoiledWordsIn(page.locator('body')), `text twice as big at ${width} px`).toEqual([])
  await undo()
}
