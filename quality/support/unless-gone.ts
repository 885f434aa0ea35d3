import { BrokenOff, isNotRunning } from '#operator/call.ts'

/**
 * Handles the error of an operator's call to a product that is killed meanwhile. Returns null if the product is gone, and throws any other
 * error.
 */
export function unlessGone(error: unknown): null {
  if (isNotRunning(error) || error instanceof BrokenOff) return null
  throw error
}
