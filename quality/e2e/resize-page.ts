import type { Page } from 'playwright-core'

export async function resizePage(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await nextFrame(page)
}

/** Media queries and observers of sizes report a change with the next frame: a page measured earlier can be in its previous layout. */
export const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))))
