import { AsyncLocalStorage } from 'node:async_hooks'
import { whenAwakeFor } from './awake-timer.ts'
import { busy } from './refusal.ts'

/** Milliseconds. With the time before and after the work, no response takes longer than twelve seconds. */
export const longestAnswerMs = 11_000

const cameAt = new AsyncLocalStorage<number>()

/** Arrival time of the current call, on the clock of `performance`. Outside a call: now. */
export const callCameAt = (): number => cameAt.getStore() ?? performance.now()

type Late = {
  longestMs?: number | undefined
  failed(error: unknown): void
}

/**
 * Returns the result of the work. Each step has its own timeout, but several steps can add up. A call that takes too long gets a 503, as if
 * its response had been lost, and the work continues to its end.
 * @throws 503 after `longestMs`
 */
export function answerInTime<T>(work: () => Promise<T>, { longestMs = longestAnswerMs, failed }: Late): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isLate = false
  const timer = whenAwakeFor(longestMs, () => {
    isLate = true
    reject(busy())
  })
  const answer = cameAt.run(performance.now(), work)
  answer.then(resolve, (error: unknown) => (isLate ? failed(error) : reject(error)))
  return promise.finally(timer.clear)
}
