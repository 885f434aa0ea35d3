import type { Page } from 'playwright-core'

/** Changes the window's size and waits until the page has responded to it, such as with a side panel in place of a modal window. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await nextFrame(page)
}

/** Media queries and observers of sizes report a change with the next frame: a page measured earlier can be in its previous layout. */
export const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))))
