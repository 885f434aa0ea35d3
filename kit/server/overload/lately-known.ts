const most = 20_000

/**
 * The cookies of browsers that this process has recently seen signed in, or with an activation that was paid in their session.
 * It decides which calls are admitted first during overload, and whether a page's data are read together with its visitor. It gives no
 * access to anything. A browser that this process hasn't seen is treated as an unknown one.
 */
export type LatelyKnown = {
  note(cookie: string, isKnown: boolean): void
  has(cookie: string | undefined): boolean
}

export function createLatelyKnown(): LatelyKnown {
  const seen = new Set<string>()
  return {
    note(cookie, isKnown) {
      // Deleting and adding again moves the cookie to the end, so the first entry is the least recently seen.
      seen.delete(cookie)
      if (!isKnown) return
      seen.add(cookie)
      if (seen.size > most) for (const oldest of seen) return void seen.delete(oldest)
    },
    has: (cookie) => cookie !== undefined && seen.has(cookie),
  }
}
