import { setTimeout as pause } from 'node:timers/promises'
import { NoResultError } from 'kysely'

/**
 * Repeats a query until the result is not false, null or undefined. A row that does not exist counts as no result, too.
 * @throws if there is still no result when time runs out
 */
export async function pollUntil<T>(
  ask: () => Promise<T | false | null | undefined>,
  { withinMs = 60_000 } = {},
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask().catch(nullIfMissing)
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`it did not come true within ${withinMs} ms`)
    await pause(50)
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof NoResultError) return null
  throw error
}
