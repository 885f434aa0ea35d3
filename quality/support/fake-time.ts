import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Makes every test in the file use fake timers that start at the time `start`. React's scheduler and encryption still use real time. */
export function withFakeTime(start: string): void {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
        now: new Date(start),
      }),
  )
  afterEach(() => void vi.useRealTimers())
}

export async function pass(milliseconds: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })
}

/** Polls for an expected value. With fake timers, each poll moves the time forward by a millisecond. */
export function expectEventually<T>(look: () => T) {
  const pollOnce = async () => {
    if (vi.isFakeTimers()) await pass(1)
    return look()
  }
  return expect.poll(pollOnce)
}
