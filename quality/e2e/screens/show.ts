import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pages } from '#app/pages.ts'
import { matchPage } from '#kit/web/page.ts'
import { dress, expectSound, expectToFitTablet, quickLooks } from '../inspect.ts'
import { type Portal, usePortal } from '../portal.ts'
import { untilQuiet } from './calls.ts'
import { expectAtHome, expectMessagesAtHome, marketShown } from './market.ts'
import { allLooks, pictureOf, picturesFolder } from './pictures.ts'
import { type Screen, stageOf } from './screen.ts'

export function showAll(area: string, screens: readonly Screen[], portal: Portal = usePortal(marketShown)): void {
  describe(`${area}`, () => {
    test.each(screens.map((screen) => [screen.name, screen] as const))('%s', async (name, screen) => {
      const page = await screen.open(stageOf(portal, screen))
      expect(entryOf(page.url()), 'the page of the table').toBe(entryOf(screen.leadsTo ?? screen.at))
      // Move the pointer away, so that nothing on the page is hovered by chance.
      await page.mouse.move(0, 0)
      if (screen.print) await page.emulateMedia({ media: 'print' })
      const looks = picturesFolder ? allLooks : quickLooks
      for (const look of looks.filter(({ width }) => screen.widths?.includes(width) ?? true)) {
        await dress(page, look)
        await untilQuiet(page)
        if (picturesFolder) await photograph(page, join(picturesFolder, pictureOf(area, name, look)))
        await expectSound(page, `${area}: ${name}, ${look.width} px wide, ${look.scheme}`, screen.exempt)
      }
      if (screen.widths?.includes(768) ?? true) await expectToFitTablet(page)
      await expectAtHome(page)
    })
    test('the mails and texts that these have sent', () => expectMessagesAtHome(portal.world()))
  })
}

const entryOf = (address: string): string =>
  String(matchPage(pages, new URL(address, 'http://localhost').pathname).page.path)

export async function photograph(page: Page, path: string): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true })
  const isCovered = await page.evaluate(() => document.querySelector(':modal, :popover-open') !== null)
  await page.screenshot({ path, fullPage: !isCovered })
}
