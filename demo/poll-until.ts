import { setTimeout as pause } from 'node:timers/promises'

// Maximum wait in milliseconds, which is longer than another process needs to take over a killed process's work.
const maxWaitMs = 45_000

/** Calls `ask` until it returns a result. @throws after 45 seconds, with `what`, the name of the missing result */
export async function pollUntil<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const end = performance.now() + maxWaitMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what} did not appear`)
    await pause(40)
  }
}
