import { ApiError } from '#kit/contract/errors.ts'
import { pause } from '#kit/web/pause.ts'

/** Between two questions; each is answered only when the outcome is known, or after about ten seconds. */
const between = 2_000

/** A little more than the two minutes in which the server resolves it by itself. */
const longestWaitMs = 150_000

/**
 * Asks whether a card was stored, until that is known. `ask` answers null while it is not.
 * @returns null when nothing is known in the end, or when `signal` is aborted
 * @throws ApiError 400 when no card was stored, or another of 4xx that asking again would not change
 */
export async function askUntilKnown<T>(ask: () => Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  const end = Date.now() + longestWaitMs
  while (Date.now() < end) {
    await pause(between, signal)
    if (signal.aborted) break
    const answer = await ask().catch(letPass)
    if (answer !== null) return answer
  }
  return null
}

/** No answer, a busy server and one at fault say nothing about the card. */
function letPass(failure: unknown): null {
  const status = failure instanceof ApiError ? failure.status : 0
  if (status >= 400 && status < 500 && status !== 429) throw failure
  return null
}
