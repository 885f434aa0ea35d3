import type { Page } from 'playwright-core'

export type Click = { ms: number; calls: number }

const maxWaitMs = 30_000

export type NextScreen = { path: RegExp; heading: RegExp }

/**
 * Performs an action that ends in a click, and measures the time by the page's clock: from the last click to the first frame that shows the
 * next screen fully loaded.
 * @throws if that screen does not appear
 */
export async function timeClick(page: Page, { path, heading }: NextScreen, press: () => Promise<void>): Promise<Click> {
  let calls = 0
  const count = (request: { url(): string }): void =>
    void (new URL(request.url()).pathname.startsWith('/api/') && calls++)
  const taken = page.evaluate(waitUntilDrawn, { path: path.source, heading: heading.source, longestMs: maxWaitMs })
  // Ignore this timeout if the click itself fails, because the click's error says more.
  taken.catch(() => {})
  page.on('request', count)
  try {
    await press()
    const ms = await taken
    if (ms === null)
      throw new Error(`${heading.source} did not come: ${page.url()}, ${await page.getByRole('main').innerText()}`)
    return { ms, calls }
  } finally {
    page.off('request', count)
  }
}

/** This function runs in the page. The click must not load a new document. */
function waitUntilDrawn(next: { path: string; heading: string; longestMs: number }): Promise<number | null> {
  const [path, heading] = [new RegExp(next.path), new RegExp(next.heading)]
  let pressedAt: number | null = null
  const began = performance.now()
  addEventListener('click', ({ timeStamp }) => void (pressedAt = timeStamp), { capture: true })
  const isShown = (): boolean =>
    path.test(location.pathname) &&
    [...document.querySelectorAll('h1')].some((h1) => heading.test(h1.textContent ?? '')) &&
    ![...document.querySelectorAll('main [role="status"]')].some((status) => status.textContent?.startsWith('Loading'))
  return new Promise((resolve) => {
    const look = (): void => {
      if (performance.now() - began > next.longestMs) resolve(null)
      else if (pressedAt === null || !isShown()) requestAnimationFrame(look)
      // The browser runs a task queued during a frame only after it has painted that frame.
      else setTimeout((from: number) => resolve(performance.now() - from), 0, pressedAt)
    }
    requestAnimationFrame(look)
  })
}
