import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { readVoucher, voucherCodeLength, type VoucherEvent, voucherMessages } from '../vouchers.contract.ts'

/**
 * What a code is good for; asked as soon as it is complete. No page names it among its needs: rendering a page counts in
 * no limit, and codes must not be guessed that way.
 */
export const voucherQuery = (api: Api, code: string, event: VoucherEvent = 'ACTIVATION') =>
  queryOptions({
    queryKey: ['voucher', event, code],
    queryFn: async () => (await api.call(readVoucher, { params: { code }, query: { event_type: event } })).data,
    enabled: code.length === voucherCodeLength,
    staleTime: 60_000,
    // The customer who waits for it is told at once, and asks again if they wish.
    retry: false,
    retryOnMount: false,
  })

/** What a customer reads when the lookup failed (spec 8, "Voucher lookup"). */
export function voucherFault(failure: unknown): string {
  if (!(failure instanceof ApiError)) return voucherMessages.noAnswer
  const { type, code } = (failure.body ?? {}) as { type?: unknown; code?: unknown }
  const told = failure.status === 412 ? type : code
  return typeof told === 'string' ? told : voucherMessages.noAnswer
}

/** Whether the voucher itself is no good, which asking again does not change. */
export const isVoid = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 412
