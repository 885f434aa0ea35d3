import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { pause } from '#kit/web/pause.ts'
import { resumeOrder } from '../orders.contract.ts'

/** Seconds before each question. In all a little more than the two minutes in which the server resolves it by itself. */
const waits = [1, 2, 3, 5, 5, 8, 10, 10, 15, 15, 15, 20, 20]

/**
 * Asks how an order has ended whose payment was in doubt, until that is known.
 * @returns `unknown` when it is not by the end of the waits, or when `signal` is aborted
 * @throws ApiError 400 when nothing was kept of the order, or another of 4xx that asking again would not change
 */
export async function resumeUntilKnown(api: Api, orderCode: string, signal: AbortSignal): Promise<'paid' | 'unknown'> {
  for (const seconds of waits) {
    await pause(seconds * 1_000, signal)
    if (signal.aborted) break
    const answer = await api.call(resumeOrder, { params: { orderId: orderCode }, body: {} }).catch(letPass)
    if (answer?.status === 200) return 'paid'
  }
  return 'unknown'
}

/** No answer, a busy server and one at fault say nothing about the order. */
function letPass(failure: unknown): null {
  const status = failure instanceof ApiError ? failure.status : 0
  if (status >= 400 && status < 500 && status !== 409 && status !== 429) throw failure
  return null
}
