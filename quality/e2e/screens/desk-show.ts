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

/** The two that say most. The wide one is first: that is the width at which screens are opened. */
const quick: Look[] = [
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
]

/**
 * Looks at every screen of an area of the desk: on a phone that is touched and on a desktop with a pointer, in the light and in the
 * dark; with text twice as big; and by keyboard alone.
 */
export function showDesk(area: string, screens: readonly Screen[]): void {
  const portal: Portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
  // Each page and each window over one, as it is first shown: Tab takes longer than all else that is looked at.
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

/** In a window as high as the page: what stays at its end is at the end of the picture, too. */
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

/** Whether the screen is touched, which makes what is on it as high as a finger. */
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

/** With letters twice as big nothing is cut off, and nothing lies sideways. */
async function expectReadable(page: Page, width: Look['width']): Promise<void> {
  const undo = await enlargeText(page)
  await nextFrame(page)
  expect(await sidewaysOn(page), `sideways, text twice as big at ${width} px`).toEqual([])
  expect(await spoiledWordsIn(page.locator('body')), `text twice as big at ${width} px`).toEqual([])
  await undo()
}
