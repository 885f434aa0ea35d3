import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Runs every test of the file on fake timers, from `start` on. React's own scheduling and encryption stay in real time. */
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

/** Waits for what a test expects to see. On fake timers it advances a millisecond at a time. */
export function expectSoon<T>(look: () => T) {
  const pollOnce = async () => {
    if (vi.isFakeTimers()) await pass(1)
    return look()
  }
  return expect.poll(pollOnce)
}
