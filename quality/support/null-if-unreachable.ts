import { ConnectionBrokenError, isNotRunning } from '#operator/send-request.ts'

/**
 * Handles an error in an operator's request to Fantail, which may be killed during the request. Returns null if Fantail is no longer
 * running.
 * @throws any other error
 */
export function nullIfUnreachable(error: unknown): null {
  if (isNotRunning(error) || error instanceof ConnectionBrokenError) return null
  throw error
}
