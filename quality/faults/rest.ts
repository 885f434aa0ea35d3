import { setTimeout as pause } from 'node:timers/promises'

/** A pause that ends early, and well, when it is time to stop: for who has begun something that must be brought to its end. */
export const rest = (seconds: number, stopping: AbortSignal): Promise<void> =>
  pause(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})
