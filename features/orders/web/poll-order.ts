import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { pause } from '#kit/web/pause.ts'
import { resumeOrder } from '../orders.contract.ts'

/**
 * Seconds before each poll. The total is a little more than the two minutes in which the server resolves a payment by
 * itself.
 */
const pollDelaysSeconds = [1, 2, 3, 5, 5, 8, 10, 10, 15, 15, 15, 20, 20]

/**
 * Polls an order whose payment is in doubt until its outcome is known.
 * @returns `unknown` after the last poll, or when `signal` is aborted
 * @throws ApiError 400 when the order failed and no money was kept, or another 4xx that a repeat would not change
 */
export async function pollUntilKnown(api: Api, orderCode: string, signal: AbortSignal): Promise<'paid' | 'unknown'> {
  for (const seconds of pollDelaysSeconds) {
    await pause(seconds * 1_000, signal)
    if (signal.aborted) break
    const response = await api
      .call(resumeOrder, { params: { orderId: orderCode }, body: {} })
      .catch(ignoreTemporaryFailure)
    if (response?.status === 200) return 'paid'
  }
  return 'unknown'
}

/** A lost response, a busy server and a server fault say nothing about the order, so polling continues. */
function ignoreTemporaryFailure(failure: unknown): null {
  const status = failure instanceof ApiError ? failure.status : 0
  if (status >= 400 && status < 500 && status !== 409 && status !== 429) throw failure
  return null
}
