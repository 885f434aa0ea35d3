import { BrokenOff, isNotRunning } from '#operator/call.ts'

/** For an operator's call to a product that is killed meanwhile: null where it is gone, and any other error as it is. */
export function unlessGone(error: unknown): null {
  if (isNotRunning(error) || error instanceof BrokenOff) return null
  throw error
}
