import { setTimeout as pause } from 'node:timers/promises'

// Longer than it takes until another process takes over the work of a killed process.
const maxWaitMs = 45_000

/** @throws after 45 seconds, with the name of the missing result */
export async function pollUntil<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const end = performance.now() + maxWaitMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what} did not come`)
    await pause(40)
  }
}
