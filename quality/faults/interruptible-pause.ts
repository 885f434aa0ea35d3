import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits for the given number of seconds or until the run stops. Unlike an aborted timer, it does not throw an error, so the caller can
 * finish what it is doing.
 */
export const interruptiblePause = (seconds: number, stopping: AbortSignal): Promise<void> =>
  pause(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})
