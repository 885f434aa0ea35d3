import { AsyncLocalStorage } from 'node:async_hooks'
import { whenAwakeFor } from './awake-timer.ts'
import { busy } from './refusal.ts'

/** In milliseconds; with what comes before and after it nobody waits for any answer for longer than twelve seconds. */
export const longestAnswerMs = 11_000

const cameAt = new AsyncLocalStorage<number>()

/** When the call that is being answered came, on the clock of `performance`; now, for what the product does by itself. */
export const callCameAt = (): number => cameAt.getStore() ?? performance.now()

type Late = {
  longestMs?: number | undefined
  /** Told when the work that nobody waited for has failed. */
  failed(error: unknown): void
}

/**
 * Answers with what the work comes to. Each thing that it waits for has a bound, but one may come after another: a call whose answer is
 * not there in time is told to come again, as if it had been lost on the way, while its work goes on to its end.
 * @throws 503 then
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
