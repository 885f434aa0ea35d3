import type { CDPSession, Page } from 'playwright-core'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * Returns the page's DevTools session, which stays open for as long as the page. Opening a new session each time would take as long as many
 * checks.
 */
export function getDevTools(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}
