import type { Page } from 'playwright-core'

export type Click = { ms: number; calls: number }

const maxWaitMs = 30_000

export type NextScreen = { path: RegExp; heading: RegExp }

/**
 * Runs acts that end in a press. Measures from the last press to the frame in which the next screen is drawn with nothing still loading,
 * by the page's own clock.
 * @throws when that screen does not come
 */
export async function timeClick(page: Page, { path, heading }: NextScreen, press: () => Promise<void>): Promise<Click> {
  let calls = 0
  const count = (request: { url(): string }): void =>
    void (new URL(request.url()).pathname.startsWith('/api/') && calls++)
  const taken = page.evaluate(waitUntilDrawn, { path: path.source, heading: heading.source, longestMs: maxWaitMs })
  // The error of a failed press says more than the timeout of this wait.
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

/** Runs in the page, which remains the same document. */
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
      // A task that is queued in a frame runs once the frame has been drawn.
      else setTimeout((from: number) => resolve(performance.now() - from), 0, pressedAt)
    }
    requestAnimationFrame(look)
  })
}
