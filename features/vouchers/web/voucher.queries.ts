import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import type { Form } from '#kit/web/form/form.ts'
import type { Params } from '#kit/web/page.ts'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { type QueryResult, useQuery } from '#kit/web/query/use-query.tsx'
import {
  readVoucher,
  type Voucher,
  voucherCodeLength,
  type VoucherEvent,
  voucherMessages,
} from '../vouchers.contract.ts'

export const getVoucherCode = ({ code = '' }: Params): string => code.trim().toUpperCase()

/**
 * Looks up a voucher. Server-rendered pages with a code also count towards the limits, so that they cannot be used to
 * guess codes.
 */
export const voucherQuery = (api: Api, code: string, event: VoucherEvent = 'ACTIVATION') =>
  queryOptions({
    queryKey: ['voucher', event, code],
    queryFn: async () => (await api.call(readVoucher, { params: { code }, query: { event_type: event } })).data,
    enabled: code.length === voucherCodeLength,
    staleTime: 60_000,
    retry: false,
    retryOnMount: false,
  })

/** Returns the error message for a failed lookup (spec 8, "Voucher lookup"). */
export function getVoucherErrorMessage(failure: unknown): string {
  if (!(failure instanceof ApiError)) return voucherMessages.noAnswer
  const { type, code } = (failure.body ?? {}) as { type?: unknown; code?: unknown }
  const errorKey = failure.status === 412 ? type : code
  return typeof errorKey === 'string' ? errorKey : voucherMessages.noAnswer
}

export const isInvalidVoucher = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 412

/**
 * Looks up a voucher. `data` is `undefined` once the server has rejected the voucher, even if an earlier lookup found
 * it.
 */
export function useVoucher(code: string, event?: VoucherEvent): QueryResult<Voucher> {
  const result = useQuery(voucherQuery(useApi(), code, event))
  return isInvalidVoucher(result.error) ? { ...result, data: undefined } : result
}

export function useEnteredVoucher(form: Form<{ code: string }>, event?: VoucherEvent): QueryResult<Voucher> {
  const result = useVoucher(form.values.code, event)
  return form.errors['code'] ? { ...result, data: undefined } : result
}
