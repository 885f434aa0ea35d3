import { ConnectionBrokenError, isNotRunning } from '#operator/call.ts'

/**
 * Handles an error in an operator's call to a product that may be killed during the call. Returns null if the product is gone.
 * @throws any other error
 */
export function nullIfGone(error: unknown): null {
  if (isNotRunning(error) || error instanceof ConnectionBrokenError) return null
  throw error
}
