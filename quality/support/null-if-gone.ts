import { ConnectionBroken, isNotRunning } from '#operator/call.ts'

/**
 * Handles the error of an operator's call to a product that is killed meanwhile. Returns null if the product is gone, and throws any other
 * error.
 */
export function nullIfGone(error: unknown): null {
  if (isNotRunning(error) || error instanceof ConnectionBroken) return null
  throw error
}
