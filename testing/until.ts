import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is not false, null or undefined. @throws when it never comes */
export async function until<T>(ask: () => Promise<T | false | null | undefined>, { withinMs = 15_000 } = {}): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`it did not come true within ${withinMs} ms`)
    await pause(50)
  }
}
