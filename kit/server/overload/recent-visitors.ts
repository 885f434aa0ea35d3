const maxRememberedVisitors = 20_000

/**
 * Cookies of browsers that this process has recently seen signed in, or whose session recently paid for an activation. The list decides
 * which requests are admitted first during overload, and whether a page's data is read together with its visitor. It does not grant access
 * to anything. A browser that this process has not seen is treated as unknown.
 */
export type RecentVisitors = {
  note(cookie: string, isKnown: boolean): void
  has(cookie: string | undefined): boolean
}

export function createRecentVisitors(): RecentVisitors {
  const recentCookies = new Set<string>()
  return {
    note(cookie, isKnown) {
      // Deleting and re-adding the cookie moves it to the end, so the first entry is the least recently seen.
      recentCookies.delete(cookie)
      if (!isKnown) return
      recentCookies.add(cookie)
      if (recentCookies.size > maxRememberedVisitors)
        for (const oldest of recentCookies) return void recentCookies.delete(oldest)
    },
    has: (cookie) => cookie !== undefined && recentCookies.has(cookie),
  }
}
