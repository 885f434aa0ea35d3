/**
 * If a timer fires more than this many milliseconds late, the process was suspended or busy, so the awaited data may have arrived without
 * having been read.
 */
const maxTimerDelayMs = 500
const extraWaitMs = 1_000

export function startSuspendAwareTimer(ms: number, act: () => void): { clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const wait = (waitMs: number): void => {
    const dueAt = performance.now() + waitMs
    timer = setTimeout(() => (performance.now() - dueAt > maxTimerDelayMs ? wait(extraWaitMs) : act()), waitMs)
  }
  wait(ms)
  return { clear: () => clearTimeout(timer) }
}
