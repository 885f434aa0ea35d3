import { setTimeout as pause } from 'node:timers/promises'

// Maximum wait in milliseconds. It leaves enough time for another process to take over from one that was killed.
const maxWaitMs = 45_000

/** Calls `ask` until it returns a result. @throws after 45 seconds; the error message names the missing result, `what` */
export async function pollUntil<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const end = performance.now() + maxWaitMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what} did not appear`)
    await pause(40)
  }
}
