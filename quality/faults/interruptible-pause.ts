import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits for some seconds, or until the run stops. Unlike a rejected timer, it ends without an error, so that the caller can finish its
 * work.
 */
export const interruptiblePause = (seconds: number, stopping: AbortSignal): Promise<void> =>
  pause(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})
