import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { Place } from '#kit/web/page.ts'
import { type QueryClient, queryOptions } from '#kit/web/query/query-client.ts'
import { isPart, partIn } from '#features/services/web/services.queries.ts'
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
 * Every number of the customer's, those that are gone among them. While the server renders the page of this search, only those that it
 * shows, and one more.
 */
export const numbersQuery = (api: Api, search = '') =>
  queryOptions({
    queryKey: ['numbers'],
    staleTime: 5_000,
    isPart: (numbers: readonly NumberRow[]) => isPart(numbers.length, search),
    queryFn: async () => (await api.call(listNumbers, import.meta.env.SSR ? { query: partIn(search) } : {})).data,
  })

/**
 * A page of the purchases of a service, newest first: the newest page, or the one that comes after the document with the code
 * `before`. Null: this customer never had that service.
 */
export const purchasesQuery = (api: Api, uuid: string, before: string) =>
  queryOptions({
    queryKey: purchasesKey(uuid, before),
    // Who has just bought something comes here to see it.
    staleTime: 5_000,
    queryFn: () => orNull(api.call(listPurchases, { params: { uuid }, ...(before && { query: { before } }) })),
  })

/** A document of a service. Null: there is none of this code. */
export const invoiceQuery = (api: Api, uuid: string, orderCode: string) =>
  queryOptions({
    queryKey: invoiceKey(uuid, orderCode),
    queryFn: () => orNull(api.call(readInvoice, { params: { uuid, orderCode } })),
  })

/** The order code in the address of a page of older purchases; empty on the newest page. */
export const beforeIn = (search: string): string => new URLSearchParams(search).get('before') ?? ''

export const arePurchasesMissing = (client: QueryClient, { uuid = '' }: Record<string, string>): boolean =>
  client.getQueryData(purchasesKey(uuid)) === null

export const isInvoiceMissing = (client: QueryClient, { uuid = '', orderCode = '' }: Record<string, string>): boolean =>
  client.getQueryData(invoiceKey(uuid, orderCode)) === null

/** What the document calls itself; null while that is not known. */
export const titleOfInvoice = (client: QueryClient, { params }: Place): string | null => {
  const invoice = client.getQueryData<Invoice | null>(invoiceKey(params['uuid'] ?? '', params['orderCode'] ?? ''))
  return invoice ? documentTitles[invoice.document_type] : null
}

/** That something is not there is an answer like any other: it is kept, and comes with the page. */
async function orNull<T>(asking: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asking).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
