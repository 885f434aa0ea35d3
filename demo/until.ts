import { setTimeout as pause } from 'node:timers/promises'

// Longer than it takes until work is taken up again that a killed process has left.
const longestMs = 45_000

/** Asks again and again until the answer is not false, null or undefined. @throws after 45 seconds, naming what did not come */
export async function until<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const end = performance.now() + longestMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what} did not come`)
    await pause(40)
  }
}
