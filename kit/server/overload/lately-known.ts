/** So many browsers are remembered: a few megabytes. */
const most = 20_000

/**
 * The cookies of browsers that this process has lately seen signed in, or on their way through the wizard. It is a hint
 * for whom to let in first and says nothing of who they are: nobody is let see or do anything for it, and a process that has not seen
 * them lets them in with everybody else.
 */
export type LatelyKnown = {
  note(cookie: string, isKnown: boolean): void
  has(cookie: string | undefined): boolean
}

export function createLatelyKnown(): LatelyKnown {
  const seen = new Set<string>()
  return {
    note(cookie, isKnown) {
      // Taken out and put in again: the first of them is the one that was not seen for longest.
      seen.delete(cookie)
      if (!isKnown) return
      seen.add(cookie)
      if (seen.size > most) for (const oldest of seen) return void seen.delete(oldest)
    },
    has: (cookie) => cookie !== undefined && seen.has(cookie),
  }
}
