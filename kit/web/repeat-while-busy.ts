import { ApiError } from '../contract/errors.ts'

/** Milliseconds before each further try: the seconds of the server's `Retry-After`. */
const betweenTries = 5_000
const maxTries = 3

/**
 * Makes a call again while the server answers 503, three times in all. Only for calls that do no harm when an earlier try was
 * carried out after all.
 * @throws what the last try does
 */
export async function repeatWhileBusy<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 503 || tries === maxTries) throw failure
      await new Promise((resolve) => setTimeout(resolve, betweenTries))
    }
  }
}
