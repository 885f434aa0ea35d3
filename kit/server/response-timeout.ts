import { AsyncLocalStorage } from 'node:async_hooks'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'
import { serviceUnavailable } from './http-error.ts'

/**
 * Maximum time in milliseconds for a request's work. Including the time before and after the work, no response takes longer than twelve
 * seconds.
 */
export const maxResponseMs = 11_000

const arrivalTimeStorage = new AsyncLocalStorage<number>()

/** Returns when the current request arrived, as a `performance.now()` time. Returns the current time if no request is being handled. */
export const getRequestArrivalTime = (): number => arrivalTimeStorage.getStore() ?? performance.now()

type TimeoutOptions = {
  longestMs?: number | undefined
  failed(error: unknown): void
}

/**
 * Runs the work with a time limit. Each step has its own timeout, but several steps can add up. A request that takes too long gets a 503,
 * as if its response had been lost, while the work runs to completion.
 * @throws 503 after `longestMs`
 */
export function withResponseTimeout<T>(
  work: () => Promise<T>,
  { longestMs = maxResponseMs, failed }: TimeoutOptions,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isLate = false
  const timer = startSuspendAwareTimer(longestMs, () => {
    isLate = true
    reject(serviceUnavailable())
  })
  const answer = arrivalTimeStorage.run(performance.now(), work)
  answer.then(resolve, (error: unknown) => (isLate ? failed(error) : reject(error)))
  return promise.finally(timer.clear)
}
