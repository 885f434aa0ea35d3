import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { resumeOrder } from '../orders.contract.ts'

/** Waits before each question, in seconds: quick at first; all together longer than the server takes to settle it. */
const waits = [1, 1, 2, 3, 5, 5, 10, 10, 15, 15, 15, 20, 20]

/**
 * Asks how an order in doubt has ended until that is known.
 * @returns `unknown` when it still is after about two minutes, or after `signal`
 * @throws ApiError 400 when nothing was kept of it
 */
export async function resumeUntilKnown(api: Api, orderId: string, signal: AbortSignal): Promise<'accepted' | 'unknown'> {
  for (const seconds of waits) {
    await pause(seconds * 1_000, signal)
    if (signal.aborted) return 'unknown'
    const answer = await api.call(resumeOrder, { params: { orderId }, body: {} }).catch(passing)
    if (answer?.status === 200) return 'accepted'
  }
  return 'unknown'
}

/** A refusal is an answer; a call that got none, a busy or a failing server is asked again. */
function passing(failure: unknown): null {
  if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 429) throw failure
  return null
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  signal.addEventListener('abort', () => { clearTimeout(timer); resolve() }, { once: true })
  return promise
}
