import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pages } from '#desk/app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { getDevTools } from '../dev-tools.ts'
import { applyViewport, expectValidPage, expectToFitTablet, type Look, toViewport } from '../inspect-page.ts'
import { expectAllReachable } from '../keyboard.ts'
import { enlargeText, findOverflowingElements, findClippedText, findTouchTargets } from '../layout-checks.ts'
import { type Portal, usePortal } from '../use-portal.ts'
import { waitUntilIdle } from './page-calls.ts'
import { deskViewports, getScreenshotPath, screenshotFolder } from './screenshots.ts'
import { type Screen, createStage } from './screen.ts'
import { saveScreenshot } from './check-screens.ts'
import { waitForNextFrame, resizePage } from '../resize-page.ts'

const quick: Look[] = [
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
]

/**
 * Checks every screen in an area of the desk: on a phone with touch and on a desktop with a mouse, in the light and dark themes, with text
 * at twice the size, and by keyboard alone.
 */
export function checkDeskScreens(area: string, screens: readonly Screen[]): void {
  const portal: Portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
  /*
   * Check each page and dialog by keyboard only when it first appears, because tabbing through it takes longer than all other checks
   * together.
   */
  const placesCheckedByKeyboard = new Set<string>()
  describe(`${area}`, () => {
    test.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
      const page = await screen.open(createStage(portal, screen))
      expect(getPagePath(page.url()), 'the page of the table').toBe(getPagePath(screen.at))
      await page.mouse.move(0, 0)
      for (const look of screenshotFolder ? deskViewports : quick) {
        await touch(page, look.width === 390)
        await applyViewport(page, look)
        await waitUntilIdle(page)
        if (screenshotFolder)
          await takeFullScreenshot(page, look, join(screenshotFolder, getScreenshotPath(area, name, look)))
        await expectValidPage(page, `${area}: ${name}, ${look.width} px wide, ${look.scheme}`)
        const smallTargets = look.width === 390 ? await findSmallTargets(page) : []
        expect(smallTargets, 'to be hit by a finger').toEqual([])
        await touch(page, false)
        await expectReadable(page, look.width)
      }
      await expectToFitTablet(page)
      const place = `${getPagePath(page.url())} ${await readDialogName(page)}`
      if (placesCheckedByKeyboard.has(place)) return
      await resizePage(page, toViewport(1280))
      await expectAllReachable(page)
      placesCheckedByKeyboard.add(place)
    })
  })
}

/** Takes a screenshot in a viewport as tall as the page, so that content fixed to the bottom appears at the end of the image. */
async function takeFullScreenshot(page: Page, look: Look, path: string): Promise<void> {
  const isCovered = await page.evaluate(() => document.querySelector(':modal') !== null)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (!isCovered) await resizePage(page, { width: look.width, height })
  await saveScreenshot(page, path)
  await applyViewport(page, look)
}

const readDialogName = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('dialog[open] h2, dialog[open][aria-label]')?.textContent ?? '')

const getPagePath = (address: string): string =>
  String(matchPage(pages, new URL(address, 'http://localhost').pathname).page.path)

const touchEmulatedPages = new WeakSet<Page>()

/** Turns touch emulation on or off. With touch, controls become tall enough for a finger. */
async function touch(page: Page, enabled: boolean): Promise<void> {
  if (touchEmulatedPages.has(page) === enabled) return
  const devTools = await getDevTools(page)
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 1 })
  if (enabled) touchEmulatedPages.add(page)
  else touchEmulatedPages.delete(page)
  await page.waitForFunction((wanted) => matchMedia('(pointer: coarse)').matches === wanted, enabled)
}

const findSmallTargets = async (page: Page) =>
  (await findTouchTargets(page)).filter(({ width, height }) => height < 43.9 || width < 24)

async function expectReadable(page: Page, width: Look['width']): Promise<void> {
  const undo = await enlargeText(page)
  await waitForNextFrame(page)
  expect(await findOverflowingElements(page), `sideways, text twice as big at ${width} px`).toEqual([])
  expect(await findClippedText(page.locator('body')), `text twice as big at ${width} px`).toEqual([])
  await undo()
}
