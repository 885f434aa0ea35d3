import { setTimeout as pause } from 'node:timers/promises'

/** A pause that ends early and without an error when it is time to stop, for acts that must be completed. */
export const rest = (seconds: number, stopping: AbortSignal): Promise<void> =>
  pause(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})
