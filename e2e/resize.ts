import type { Page } from 'playwright-core'

/**
 * Changes the window's size and waits until the page has responded to it. Media queries report a change with the next frame, so a page
 * measured before that frame can still be in its previous layout, such as a modal window instead of a side panel.
 */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}
