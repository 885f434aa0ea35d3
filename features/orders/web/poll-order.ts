import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { pause } from '#kit/web/pause.ts'
import { resumeOrder } from '../orders.contract.ts'

/** Seconds before each poll. Their sum is slightly more than the two minutes within which the server resolves any payment. */
const pollDelaysSeconds = [1, 2, 3, 5, 5, 8, 10, 10, 15, 15, 15, 20, 20]

/**
 * Polls an order until its payment's outcome is known.
 * @returns `unknown` after the last poll, or when `signal` is aborted
 * @throws ApiError 400 when the order failed (anything that was charged is refunded), or another 4xx error that retrying would not fix
 */
export async function pollPaymentOutcome(
  api: Api,
  orderCode: string,
  signal: AbortSignal,
): Promise<'paid' | 'unknown'> {
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

/** Ignores a lost response, a busy server or a server error. None of these reveals the order's outcome, so polling continues. */
function ignoreTemporaryFailure(failure: unknown): null {
  const status = failure instanceof ApiError ? failure.status : 0
  if (status >= 400 && status < 500 && status !== 409 && status !== 429) throw failure
  return null
}
