import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageLocation } from '#kit/web/page.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { isPartialServiceList, buildServicesPartQuery } from '#features/services/web/services.queries.ts'
import {
  documentTitles,
  type Invoice,
  listNumbers,
  listPurchases,
  type NumberRow,
  readInvoice,
} from '../invoices.contract.ts'

const purchasesKey = (uuid: string, before = '') => ['purchases', uuid, ...(before ? [before] : [])]
const invoiceKey = (uuid: string, orderCode: string) => ['invoice', uuid, orderCode]

/**
 * The customer's phone numbers, including released ones. Server rendering loads only the requested part of the list, plus
 * one more number to detect whether the list continues.
 */
export const numbersQuery = (api: Api, search = '') =>
  queryOptions({
    queryKey: ['numbers'],
    staleTime: 5_000,
    isPart: (numbers: readonly NumberRow[]) => isPartialServiceList(numbers.length, search),
    queryFn: async () =>
      (await api.call(listNumbers, import.meta.env.SSR ? { query: buildServicesPartQuery(search) } : {})).data,
  })

export const purchasesQuery = (api: Api, uuid: string, before: string) =>
  queryOptions({
    queryKey: purchasesKey(uuid, before),
    // Customers often open this page right after a purchase, so its data must be fresh.
    staleTime: 5_000,
    queryFn: () => ignoreNotFound(api.call(listPurchases, { params: { uuid }, ...(before && { query: { before } }) })),
  })

export const invoiceQuery = (api: Api, uuid: string, orderCode: string) =>
  queryOptions({
    queryKey: invoiceKey(uuid, orderCode),
    queryFn: () => ignoreNotFound(api.call(readInvoice, { params: { uuid, orderCode } })),
  })

export const readCursor = (search: string): string => new URLSearchParams(search).get('before') ?? ''

export const arePurchasesMissing = (client: QueryClient, { uuid = '' }: Record<string, string>): boolean =>
  client.getQueryData(purchasesKey(uuid)) === null

export const isInvoiceMissing = (client: QueryClient, { uuid = '', orderCode = '' }: Record<string, string>): boolean =>
  client.getQueryData(invoiceKey(uuid, orderCode)) === null

export const invoiceTitle = (client: QueryClient, { params }: PageLocation): string | null => {
  const invoice = client.getQueryData<Invoice | null>(invoiceKey(params['uuid'] ?? '', params['orderCode'] ?? ''))
  return invoice ? documentTitles[invoice.document_type] : null
}

/** Returns `null` for a 404. The result is then cached like a successful response, so that the server can render the not-found page. */
async function ignoreNotFound<T>(pendingResponse: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await pendingResponse).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
