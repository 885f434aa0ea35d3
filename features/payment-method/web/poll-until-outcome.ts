import { ApiError } from '#kit/contract/errors.ts'
import { pause } from '#kit/web/pause.ts'

/** Milliseconds between two polls. The server holds each poll for up to ten seconds, or until the outcome is known. */
const pollIntervalMs = 2_000

/**
 * Slightly longer than the two minutes that the server may take to resolve a card update that nobody is polling for.
 */
const maxWaitMs = 150_000

/**
 * Polls until the server knows whether a card was stored. `poll` returns `null` while the outcome is unknown.
 * @returns null if the outcome is still unknown at the deadline, or `signal` is aborted
 * @throws ApiError 400 when no card was stored, or another 4xx that a retry would not change
 */
export async function pollUntilOutcome<T>(poll: () => Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  const deadline = Date.now() + maxWaitMs
  while (Date.now() < deadline) {
    await pause(pollIntervalMs, signal)
    if (signal.aborted) break
    const result = await poll().catch(ignoreTemporaryFailure)
    if (result !== null) return result
  }
  return null
}

/** A network failure, a 429 or a 5xx response does not reveal whether the card was stored. */
function ignoreTemporaryFailure(failure: unknown): null {
  const status = failure instanceof ApiError ? failure.status : 0
  if (status >= 400 && status < 500 && status !== 429) throw failure
  return null
}
