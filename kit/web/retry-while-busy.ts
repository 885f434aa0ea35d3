import { ApiError } from '../contract/errors.ts'

const maxTries = 3
/** Milliseconds before each retry. The server asks for five seconds; the random part spreads out browsers that were rejected together. */
const minPauseMs = 5_000
const maxPauseMs = 7_000

/**
 * Repeats a request while the server responds with 503, up to three attempts. Use it only for requests that do no harm if an earlier
 * attempt was carried out after all.
 * @param isWanted called before each retry, because a visitor who has left the page is no longer waiting for the response
 * @throws the last attempt's error
 */
export async function retryWhileBusy<T>(call: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 503 || tries === maxTries) throw failure
      const pause = minPauseMs + Math.random() * (maxPauseMs - minPauseMs)
      await new Promise((resolve) => setTimeout(resolve, pause))
      if (!isWanted()) throw failure
    }
  }
}
