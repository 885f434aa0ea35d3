import { ApiError } from '../contract/errors.ts'

const maxTries = 3
/** Milliseconds before each further try. The server asks for five seconds; browsers that it refused together come back apart. */
const shortestPause = 5_000
const longestPause = 7_000

/**
 * Makes a call again while the server answers 503, three times in all. Only for calls that do no harm when an earlier try was
 * carried out after all.
 * @param isWanted asked before each further try: a visitor who has left the page no longer waits for the answer
 * @throws what the last try does
 */
export async function repeatWhileBusy<T>(call: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 503 || tries === maxTries) throw failure
      const pause = shortestPause + Math.random() * (longestPause - shortestPause)
      await new Promise((resolve) => setTimeout(resolve, pause))
      if (!isWanted()) throw failure
    }
  }
}
