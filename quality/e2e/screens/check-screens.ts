import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { applyViewport, expectValidPage, expectToFitTablet, quickViewports } from '../inspect-page.ts'
import { type Portal, usePortal } from '../use-portal.ts'
import { waitUntilIdle } from './page-calls.ts'
import { expectLocalWords, expectLocalMessages, marketOptions } from './market.ts'
import { allViewports, getScreenshotPath, screenshotFolder } from './screenshots.ts'
import { type Screen, createStage } from './screen.ts'

export function checkScreens(
  area: string,
  screens: readonly Screen[],
  portal: Portal = usePortal(marketOptions),
): void {
  describe(`${area}`, () => {
    test.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
      const page = await screen.open(createStage(portal, screen))
      expect(getPagePath(page.url()), 'the page of the table').toBe(getPagePath(screen.leadsTo ?? screen.at))
      // Move the pointer out of the way, so that it does not accidentally hover over anything.
      await page.mouse.move(0, 0)
      if (screen.print) await page.emulateMedia({ media: 'print' })
      const looks = screenshotFolder ? allViewports : quickViewports
      for (const look of looks.filter(({ width }) => screen.widths?.includes(width) ?? true)) {
        await applyViewport(page, look)
        await waitUntilIdle(page)
        if (screenshotFolder) await saveScreenshot(page, join(screenshotFolder, getScreenshotPath(area, name, look)))
        await expectValidPage(page, `${area}: ${name}, ${look.width} px wide, ${look.scheme}`, screen.exempt)
      }
      if (screen.widths?.includes(768) ?? true) await expectToFitTablet(page)
      await expectLocalWords(page)
    })
    test('the mails and texts that these have sent', () => expectLocalMessages(portal.world()))
  })
}

const getPagePath = (address: string): string =>
  String(matchPage(pages, new URL(address, 'http://localhost').pathname).page.path)

export async function saveScreenshot(page: Page, path: string): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true })
  const isCovered = await page.evaluate(() => document.querySelector(':modal, :popover-open') !== null)
  await page.screenshot({ path, fullPage: !isCovered })
}
