import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is not false, null or undefined. @throws after 15 seconds, naming what did not come */
export async function until<T>(what: string, ask: () => Promise<T | false | null | undefined>): Promise<T> {
  const end = performance.now() + 15_000
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what} did not come`)
    await pause(40)
  }
}
