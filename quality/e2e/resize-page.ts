import type { Page } from 'playwright-core'

export async function resizePage(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await waitForNextFrame(page)
}

/**
 * Waits for the next frame. Media queries and resize observers take effect in the next frame, so measuring earlier could see the old
 * layout.
 */
export const waitForNextFrame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))))
