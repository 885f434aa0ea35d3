import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newEmail } from '#quality/support/world.ts'
import { usePortal, type Size } from './use-portal.ts'
import { walkToCheckout } from './wizard.ts'

const portal = usePortal()

const layoutOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [element.tagName, x, y + scrollY, width, height]
        .map((value) => (typeof value === 'number' ? Math.round(value) : value))
        .join(' ')
    }),
  )

test.each<Size>(['phone', 'desktop'])(
  'on a %s, a page looks the same whether opened directly or from another page, and loads no style twice',
  async (size) => {
    const page = await portal.open(size)
    const styles: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'stylesheet') styles.push(new URL(request.url()).pathname)
    })
    await page.goto('/activate/')
    // The first page's styles are inlined in its document, so it requests no style sheet.
    expect(styles).toEqual([])

    await walkToCheckout(page, await portal.world().newSim(), newEmail())
    expect(styles.filter((style, index) => styles.indexOf(style) !== index)).toEqual([])
    const walked = await layoutOf(page)
    await page.reload()
    await page
      .getByRole('button', { name: /^ACTIVATE/ })
      .and(page.locator(':enabled'))
      .waitFor()
    expect(await layoutOf(page)).toEqual(walked)
  },
)
